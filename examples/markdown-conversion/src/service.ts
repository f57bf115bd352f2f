import { Service, loggingInit, startLambdaServer } from "tenon";
import "./convert-to-markdown.ts";

loggingInit();
await startLambdaServer(
  new Service({
    name: "Markdown conversion",
    description: "Converts stored documents to Markdown.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
);
