import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../runtime/contract/contract.ts";
import { reportProblems } from "../../runtime/contract/validation/report/report.ts";
import { goldenTools, type GoldenTool } from "../support/golden-tools.ts";
import { json, serve, type TestServer } from "../support/serve.ts";
import { mutated, wireOf } from "../unit/plugin/emit/arbitrary-wire.ts";
import { createReferee, revisions } from "./mcp/protocol-referee.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./mcp/raw-http.ts";

const golden = goldenTools();
const asking = golden.filter(({ tool }) => tool.functions.isRequest !== undefined);

/** Requests that the compiled validator refuses: an empty one, and some that were nearly right. */
function refusedRequests({ model, tool }: GoldenTool): readonly JsonObject[] {
  const type = model.request?.type ?? { kind: "unknown" };
  const made = fc.sample(mutated(wireOf({ type, definitions: model.definitions })), { numRuns: 300, seed: 11 });
  const isLegal = tool.functions.isRequest ?? (() => true);
  const refused = [{}, ...made].filter((value) => isPlain(value) && !isLegal(value));
  return refused.slice(0, 4) as JsonObject[];
}

/** An object that travels as it is, and is refused for what it says and not for how. */
function isPlain(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.startsWith("{") && !text.includes("__proto__") && !/\\ud[89a-f]/i.test(text);
}

let server: TestServer;
beforeAll(async () => {
  const tools = golden.map(({ tool }) => tool);
  server = await serve(tools, {}, {}, ["--test-without-sidecar", "--with-mcp"]);
});
afterAll(() => server.stop());

async function callMcp(method: string, params: Record<string, unknown>, modern: boolean): Promise<JsonObject> {
  const url = `${server.url}/mcp`;
  const name = typeof params["name"] === "string" ? params["name"] : undefined;
  const answer = modern
    ? await sendRaw(url, modernBody(method, params), modernHeaders(method, name))
    : await sendRaw(url, legacyBody(method, params));
  return messagesOf(answer).at(-1)?.["result"] as JsonObject;
}

test("there are tools to compare", () => {
  expect(golden.length).toBeGreaterThan(40);
  expect(asking.length).toBeGreaterThan(30);
  expect(asking.flatMap(refusedRequests).length).toBeGreaterThan(asking.length * 3);
});

test.each(asking.map((one) => [one.tool.name, one] as const))(
  "%s: REST and MCP refuse in the same words as the report",
  async (name, one) => {
    const schema = one.tool.definition.request?.schema ?? {};
    for (const request of refusedRequests(one)) {
      const problems = reportProblems(schema, request);
      expect(problems).not.toEqual([]);
      const rest = await server.post(one.tool.path, request);
      const body = (await json(rest)) as { detail: string; errors: { path: string; message: string }[] };
      expect({ request, status: rest.status }).toEqual({ request, status: 422 });
      expect(body.errors).toEqual(JSON.parse(JSON.stringify(problems)));
      const lines = body.errors.map(({ path, message }) => `- ${path === "" ? "(root)" : path}: ${message}`);
      const text = [body.detail, ...lines].join("\n");
      const result = await callMcp("tools/call", { name, arguments: request }, false);
      expect(result).toMatchObject({ isError: true, content: [{ type: "text", text }] });
    }
  },
);

describe.each(revisions)("the tool list in %s", (revision) => {
  test("is legal for every golden tool", async () => {
    const errorsOf = createReferee(revision);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const result = await callMcp("tools/list", cursor === undefined ? {} : { cursor }, revision === "2026-07-28");
      expect(errorsOf("ListToolsResult", result)).toEqual([]);
      const page = result as unknown as { tools: { name: string; inputSchema: object }[]; nextCursor?: string };
      names.push(...page.tools.map((tool) => tool.name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names.toSorted()).toEqual(golden.map(({ tool }) => tool.name).toSorted());
  });
});
