import { Service, loggingInit, startLambdaServer } from "tenon";
import "./index.js";

loggingInit();
await startLambdaServer(new Service({ name: "fastmcp" }));
