import { Service, loggingInit, startLambdaServer } from "tenon";
import "./server.js";
import "./contract.js";

loggingInit();
await startLambdaServer(new Service({ name: "ts-rest" }));
