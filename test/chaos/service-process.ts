/** A REST service of the sweep, which keeps its own jobs (`TENON_STORE`). */
import { loggingInit, Service, startLambdaServer } from "../../runtime/index.ts";
import { defineChaosTool } from "./chaos-tool.ts";
import { defineDurableTool } from "./durable/durable-tool.ts";

loggingInit();
if (process.env["CHAOS_TOOL"] === "durable") defineDurableTool();
else defineChaosTool();
await startLambdaServer(new Service({ name: "chaos", version: "1" }));
