import { Service, loggingInit, startLambdaServer } from "tenon";
import "./wave-function-collapse.ts";

loggingInit();
await startLambdaServer(
  new Service({
    name: "Wave function collapse",
    description: "Invents maps of islands, rivers and roads and draws them.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
);
