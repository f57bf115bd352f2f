import { Service, loggingInit, startLambdaServer } from "tenon";
import "./map-gene-ontology.ts";

loggingInit();
await startLambdaServer(
  new Service({
    name: "Gene ontology mapper",
    description: "Maps gene products to their gene ontology annotations.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
);
