import { Service, startLambdaServer } from "tenon";
import "../tool.js";

await startLambdaServer(new Service({ name: "Letters" }));
