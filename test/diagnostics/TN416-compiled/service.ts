import { Service, startLambdaServer } from "tenon";
import "./packages/primes/index.js";

await startLambdaServer(new Service({ name: "Primes" }));
