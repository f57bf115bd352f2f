import { Service, loggingInit, startLambdaServer } from "tenon";
import "./tools.js";

loggingInit();
await startLambdaServer(new Service({ name: "not-carried" }));
