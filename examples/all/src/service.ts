import { Service, loggingInit, startLambdaServer } from "tenon";
// A service has the tools that its entry imports.
import "../../gene-ontology-mapper/src/map-gene-ontology.ts";
import "../../is-prime/src/is-prime.ts";
import "../../wave-function-collapse/src/wave-function-collapse.ts";

loggingInit();
await startLambdaServer(
  new Service({
    name: "Examples",
    description: "Prime numbers, gene ontology and invented maps in one service.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
);
