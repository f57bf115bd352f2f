import { Service, loggingInit, startLambdaServer } from "tenon";
import "./server.js";

loggingInit();
await startLambdaServer(new Service({ name: "mcp-sdk" }));
