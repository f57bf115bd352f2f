import { Service, loggingInit, startLambdaServer } from "tenon";
import "./notes.js";

loggingInit();
await startLambdaServer(new Service({ name: "zod-three" }));
