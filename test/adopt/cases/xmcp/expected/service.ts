import { Service, loggingInit, startLambdaServer } from "tenon";
import "./greet.js";

loggingInit();
await startLambdaServer(new Service({ name: "xmcp" }));
