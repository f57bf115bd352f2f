/** A service with hooks that say when they run; the environment says how they go wrong. */
import { loggingInit, Service, startBatchService, startLambdaServer } from "../../../runtime/index.ts";
import { defineTool } from "../../../runtime/internal.ts";

loggingInit();
const say = (text: string): boolean => process.stderr.write(`${text}\n`);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const fail = (): never => {
  throw new Error("connection lost");
};
const how = process.env["TEST_HOOKS"] ?? "";
let isOpen = false;

defineTool(
  {
    name: "look",
    description: "Says whether the service is open.",
    signature: "look(): boolean",
    source: "src/look.ts:1",
    annotations: {},
    result: { kind: "json", schema: { type: "boolean" } },
    mcp: { inputSchema: { type: "object" } },
  },
  {
    call: async () => {
      say("job begins");
      await sleep(how === "slow job" ? 300 : 0);
      say("job ends");
      return isOpen;
    },
  },
);

const service = new Service({
  name: "Hooks",
  version: "1.2.3",
  async onStart() {
    say("onStart");
    if (how === "start throws") throw new Error("no database");
    if (how === "start breaks" || how === "breaks") setTimeout(fail, how === "breaks" ? 300 : 10);
    await sleep(how === "start hangs" || how === "start breaks" ? 60_000 : 100);
    isOpen = true;
  },
  async onStop() {
    say("onStop");
    if (how === "stop throws") throw new Error("no farewell");
    await sleep(how === "slow stop" ? 500 : 50);
    isOpen = false;
    say("closed");
  },
});
if (process.env["TEST_FLAVOUR"] === "batch") await startBatchService(service);
else await startLambdaServer(service);
