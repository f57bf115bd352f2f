import { Service, loggingInit, startBatchService } from "tenon";
import { testBatch } from "./test-batch.ts";

loggingInit();
await startBatchService(
  new Service({
    name: "Batch tester",
    description: "Does to its platform what services do on their worst days.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
  testBatch,
);
