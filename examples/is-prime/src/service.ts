import { Service, loggingInit, startLambdaServer } from "tenon";
import "./is-prime.ts";

loggingInit();
await startLambdaServer(
  new Service({
    name: "Prime numbers",
    description: "Tells whether a number is prime.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
);
