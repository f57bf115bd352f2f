import { Service, loggingInit, startBatchService } from "tenon";
import { simulateWorkflow } from "./simulate-workflow.ts";

loggingInit();
await startBatchService(
  new Service({
    name: "Workflow simulator",
    description: "Plays a workflow of agents, with everything that it would report.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
  simulateWorkflow,
  { concurrency: 4 },
);
