import { Service, loggingInit, startBatchService } from "tenon";
import { writeReport } from "./write-report.ts";

loggingInit();
await startBatchService(
  new Service({
    name: "Report writer",
    description: "Writes reports whose references were checked by another service.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
  writeReport,
);
