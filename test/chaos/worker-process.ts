/** A batch worker of the sweep. */
import { loggingInit, Service, startBatchService } from "../../runtime/index.ts";
import { defineChaosTool } from "./chaos-tool.ts";

loggingInit();
defineChaosTool();
await startBatchService(new Service({ name: "chaos", version: "1" }), undefined, { concurrency: 4 });
