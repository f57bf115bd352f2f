// Prints whether the SDK was loaded up to each of some points; run by the test as a process of its own.
import { registerHooks } from "node:module";

let loads = 0;
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@modelcontextprotocol/server") loads++;
    return next(specifier, context);
  },
});

const { startHttpService } = await import("../http-service.ts");
const { readPlainRequest } = await import("../../../../runtime/fronts/mcp/plain/read-request.ts");
const { createTools, createWitness } = await import("../tools.ts");
const { goodMessages } = await import("./messages.ts");
const { agent, answerTo, linesOf } = await import("./two-engines.ts");
const { legacyBody, modernBody } = await import("../raw-http.ts");

const seen: Record<string, boolean> = {};
// A session is never plain.
const service = await startHttpService({ TENON_MCP_SESSIONS: "never" });
const plain = goodMessages.filter(
  ({ name, body }) =>
    name === "GET" ||
    name === "notifications/initialized" ||
    (body.startsWith("{") && readPlainRequest(JSON.parse(body)) !== undefined && !name.includes("routed")),
);
for (const message of plain) await answerTo(service.url, message);
seen["plain over HTTP"] = loads > 0;

const tools = createTools(createWitness());
const params = { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "c", version: "1" } };
const notice = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
await linesOf(tools, [legacyBody("initialize", params), notice, legacyBody("tools/list", {}, 2)], {});
await linesOf(tools, [modernBody("server/discover"), modernBody("tools/call", { name: "echo" }, 2)], {});
seen["plain over lines"] = loads > 0;

for (const message of goodMessages.filter(({ name }) => name.startsWith("prompts/list")))
  await answerTo(service.url, message);
seen["a rare method"] = loads > 0;

agent.destroy();
await service.stop();
console.log(JSON.stringify(seen));
