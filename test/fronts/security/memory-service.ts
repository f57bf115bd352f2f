/** A service in a process of its own that says how much memory it holds, for tests that fill it. */
import { setTimeout as wait } from "node:timers/promises";
import { loadKept } from "../../../runtime/executor/kept/load-kept.ts";
import { loadExplainer } from "../../../runtime/executor/run/load-explainer.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { serve } from "../../support/serve.ts";

const large = "x".repeat(5 * 1024 * 1024);
const tools = [
  fakeTool(({ text = "" }: { text?: string }) => text.length, { name: "tool", path: "/tool" }),
  fakeTool(() => large, { name: "large", path: "/large" }),
];
// All that a server loads a second after its start, which is no part of what fills it.
await Promise.all([
  loadExplainer(),
  loadKept(),
  import("../../../runtime/fronts/http/node/answer-bad-request.ts"),
  import("../../../runtime/fronts/http/node/watch-clients.ts"),
]);
const server = await serve(tools, {}, process.env, ["--test-without-sidecar", "--with-mcp"]);

/** Memory that is still held once the garbage is gone. */
async function held(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await wait(10);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.on("message", (question) => {
  if (question === "stop") process.disconnect();
  else void held().then((bytes) => process.send?.({ held: bytes, rss: process.memoryUsage.rss() }));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port: server.port });
