import { Service, loggingInit, startLambdaServer } from "tenon";
import "./check-facts.ts";

loggingInit();
await startLambdaServer(
  new Service({
    name: "Fact checker",
    description: "Checks whether references lead to what they name.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
);
