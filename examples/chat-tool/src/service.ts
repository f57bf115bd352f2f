import { Service, loggingInit, startLambdaServer } from "tenon";
import "./chat.ts";

loggingInit();
await startLambdaServer(
  new Service({
    name: "Chat",
    description: "Answers with a language model.",
    contact: { name: "Example team", email: "tools@example.org" },
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  }),
);
