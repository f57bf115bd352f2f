import { Service, startLambdaServer } from "tenon";
import "./prime.js";

await startLambdaServer(new Service({ name: "Primes" }));
