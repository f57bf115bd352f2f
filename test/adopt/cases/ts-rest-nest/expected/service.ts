import { Service, loggingInit, startLambdaServer } from "tenon";
import "./users.js";

loggingInit();
await startLambdaServer(new Service({ name: "ts-rest-nest" }));
