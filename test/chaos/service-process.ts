/** A REST service of the sweep, which keeps its own jobs (`TENON_STORE`). */
import { loggingInit, Service, startLambdaServer } from "../../runtime/index.ts";
import { defineChaosTool } from "./chaos-tool.ts";

loggingInit();
defineChaosTool();
await startLambdaServer(new Service({ name: "chaos", version: "1" }));
