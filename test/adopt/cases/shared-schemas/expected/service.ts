import { Service, loggingInit, startLambdaServer } from "tenon";
import "./tools/notes.js";

loggingInit();
await startLambdaServer(new Service({ name: "shared-schemas" }));
