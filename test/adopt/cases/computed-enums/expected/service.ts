import { Service, loggingInit, startLambdaServer } from "tenon";
import "./flags.js";

loggingInit();
await startLambdaServer(new Service({ name: "computed-enums" }));
