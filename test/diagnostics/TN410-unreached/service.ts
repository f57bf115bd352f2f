import { Service, startLambdaServer } from "tenon";
import "./imported.ts";

await startLambdaServer(new Service({ name: "Tools" }));
