import { expect, test } from "vitest";
import { createExecutor } from "../../../../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import { FixedAnswers } from "../../../../../../runtime/fronts/mcp/plain/fixed-answers.ts";
import { readPlainRequest } from "../../../../../../runtime/fronts/mcp/plain/read-request.ts";
import { createToolPort } from "../../../../../../runtime/fronts/mcp/calls/tool-port.ts";
import { legacyBody, modernBody } from "../../../../../fronts/mcp/raw-http.ts";
import type { Tool } from "../../../../../../runtime/service/tools/tool.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";

const tools = [
  fakeTool(() => "", { name: "open" }),
  fakeTool(() => "", { name: "write", definition: { scopes: ["notes:write"] } }),
  fakeTool(() => "", { name: "read", definition: { scopes: ["notes:read"] } }),
];

function answersOf(
  hasCallers: boolean,
  served: readonly Tool[] = tools,
): (body: string, scopes?: readonly string[]) => Record<string, unknown> {
  const executor = createExecutor({ tools: served, store: createMemoryStore() });
  const port = createToolPort({
    info: { name: "a", version: "1" },
    tools: served,
    hasCallers,
    start: executor.start.bind(executor),
  });
  const answers = new FixedAnswers(port);
  return (body, scopes) => {
    const request = readPlainRequest(JSON.parse(body));
    if (request === undefined) throw new Error("it is no plain request");
    const tail = answers.of(request, scopes && new Set(scopes));
    return (JSON.parse(`{"id":1${String(tail)}`) as { result: Record<string, unknown> }).result;
  };
}

const names = (result: Record<string, unknown>): readonly string[] =>
  (result["tools"] as readonly { name: string }[]).map(({ name }) => name);

test("without callers everybody sees all tools, and may share the list", () => {
  const answer = answersOf(false);
  const list = answer(modernBody("tools/list"));
  expect(names(list)).toEqual(["open", "write", "read"]);
  expect(list).toMatchObject({ cacheScope: "public", resultType: "complete" });
});

test("each set of scopes has a list of its own, which nobody shares", () => {
  const answer = answersOf(true);
  const list = modernBody("tools/list");
  const seen = [[], ["notes:read"], ["notes:write", "other"], ["notes:read", "notes:write"], ["notes:read"]].map(
    (scopes) => names(answer(list, scopes)),
  );
  expect(seen).toEqual([["open"], ["open", "read"], ["open", "write"], ["open", "write", "read"], ["open", "read"]]);
  expect(answer(list, [])["cacheScope"]).toBe("private");
  expect(names(answer(legacyBody("tools/list"), ["notes:read"]))).toEqual(["open", "read"]);
});

test("a client without the extension hears of no view; one whose capabilities are unknown does", () => {
  const seen = fakeTool(() => "", { name: "seen", definition: { view: {} } });
  const answer = answersOf(false, [...tools, seen]);
  const metaOf = (result: Record<string, unknown>): unknown =>
    (result["tools"] as readonly { name: string; _meta?: object }[]).find(({ name }) => name === "seen")?._meta;
  const list = (extensions: object): string =>
    modernBody("tools/list", { _meta: { "io.modelcontextprotocol/clientCapabilities": { extensions } } });
  const ui = { resourceUri: "ui://a/seen.html" };
  const named = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  expect(metaOf(answer(list(named)))).toEqual({ ui });
  expect(metaOf(answer(list({})))).toBeUndefined();
  expect(metaOf(answer(list({ "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } })))).toBeUndefined();
  expect(metaOf(answer(legacyBody("tools/list")))).toEqual({ ui });
  expect(answer(modernBody("server/discover"))).toMatchObject({
    capabilities: { extensions: { "io.modelcontextprotocol/ui": {} } },
  });
});

test("an unknown revision is answered with the newest of the older ones", () => {
  const hello = (protocolVersion: string): string =>
    legacyBody("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } });
  const answer = answersOf(false);
  expect(answer(hello("2024-11-05"))["protocolVersion"]).toBe("2024-11-05");
  expect(answer(hello("1999-01-01"))["protocolVersion"]).toBe("2025-11-25");
});
