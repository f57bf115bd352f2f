import { Service, startLambdaServer } from "tenon";
import "./prime.mjs";

await startLambdaServer(new Service({ name: "Primes" }));
