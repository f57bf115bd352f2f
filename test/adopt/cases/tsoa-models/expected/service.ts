import { Service, loggingInit, startLambdaServer } from "tenon";
import "./people.js";

loggingInit();
await startLambdaServer(new Service({ name: "tsoa-models" }));
