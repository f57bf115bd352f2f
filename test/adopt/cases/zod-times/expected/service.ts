import { Service, loggingInit, startLambdaServer } from "tenon";
import "./times.js";

loggingInit();
await startLambdaServer(new Service({ name: "zod-times" }));
