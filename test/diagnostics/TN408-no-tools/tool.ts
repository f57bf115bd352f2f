import { Service, startLambdaServer } from "tenon";

await startLambdaServer(new Service({ name: "Empty" }));
