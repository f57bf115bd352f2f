import { Service, startLambdaServer } from "tenon";
import "./pay.ts";

export const service = new Service({ name: "Order" });

await startLambdaServer(service);
