import { expect, test } from "vitest";
import { createExecutor } from "../../../../../../runtime/executor/executor.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory.ts";
import { FixedAnswers } from "../../../../../../runtime/fronts/mcp/plain/fixed-answers.ts";
import { readPlainRequest } from "../../../../../../runtime/fronts/mcp/plain/read-request.ts";
import { createToolPort } from "../../../../../../runtime/fronts/mcp/calls/tool-port.ts";
import { legacyBody, modernBody } from "../../../../../fronts/mcp/raw-http.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";

const tools = [
  fakeTool(() => "", { name: "open" }),
  fakeTool(() => "", { name: "write", definition: { scopes: ["notes:write"] } }),
  fakeTool(() => "", { name: "read", definition: { scopes: ["notes:read"] } }),
];

function answersOf(hasCallers: boolean): (body: string, scopes?: readonly string[]) => Record<string, unknown> {
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const port = createToolPort({
    info: { name: "a", version: "1" },
    tools,
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

test("an unknown revision is answered with the newest of the older ones", () => {
  const hello = (protocolVersion: string): string =>
    legacyBody("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } });
  const answer = answersOf(false);
  expect(answer(hello("2024-11-05"))["protocolVersion"]).toBe("2024-11-05");
  expect(answer(hello("1999-01-01"))["protocolVersion"]).toBe("2025-11-25");
});
