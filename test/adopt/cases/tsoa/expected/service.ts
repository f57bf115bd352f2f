import { Service, loggingInit, startLambdaServer } from "tenon";
import "./notes-controller.js";

loggingInit();
await startLambdaServer(new Service({ name: "tsoa" }));
