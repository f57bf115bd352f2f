import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../../../runtime/contract/contract.ts";
import { createExecutor } from "../../../../../../runtime/executor/job-executor.ts";
import type { JobContext } from "../../../../../../runtime/executor/run/job-context.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import { createToolPort } from "../../../../../../runtime/fronts/mcp/calls/tool-port.ts";
import { callTool } from "../../../../../../runtime/fronts/mcp/port/call-tool.ts";
import type { McpCallContext, McpPort } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import type { Tool } from "../../../../../../runtime/service/tools/tool.ts";
import {
  type DeclaredTool,
  typeDeclarations,
} from "../../../../../../runtime/contract/definition/type-declarations.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";
import { goldenTools } from "../../../../../support/golden-tools.ts";

const nameForm = {
  schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
} as const;
const own: readonly Tool[] = [
  fakeTool(({ text = "" }: { text?: string }) => text.toUpperCase(), {
    name: "shout",
    description: "Writes a text in capitals.\n\nUse it sparingly.",
    resultKind: "text",
  }),
  fakeTool(() => "secret", {
    name: "openVault",
    description: "Opens the vault.",
    resultKind: "text",
    definition: { scopes: ["vault"] },
  }),
  fakeTool(
    async (_: unknown, job: JobContext) => `Hello ${(await job.ask<{ name: string }>("Who?", {}, nameForm)).name}`,
    {
      name: "greet",
      description: "Greets somebody by name.",
      request: null,
      resultKind: "text",
    },
  ),
  fakeTool(() => new Promise(() => {}), {
    name: "waitForever",
    request: null,
    definition: { mcp: { inputSchema: { type: "object" }, task: "required" } },
  }),
];
const many = [...goldenTools().map(({ tool }) => tool), ...own];

function open(tools: readonly Tool[] = many, more: object = {}): McpPort {
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const info = { name: "t", version: "1" };
  return createToolPort({
    info,
    tools,
    start: (one) => executor.start(one),
    jobs: executor,
    toolSearch: true,
    hasCallers: true,
    ...more,
  });
}

const port = open();
const context: McpCallContext = { signal: new AbortController().signal, capabilities: { elicitation: {} } };

async function call(name: string, args: JsonObject, more: Partial<McpCallContext> = {}): Promise<JsonObject> {
  return (await callTool(port, name, args, { ...context, ...more })) as object as JsonObject;
}

async function found(query: string, more: Partial<McpCallContext> = {}, limit?: number): Promise<readonly string[]> {
  const { structuredContent } = await call("search_tools", { query, ...(limit !== undefined && { limit }) }, more);
  return (structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

describe("the list", () => {
  const searching = ["search_tools", "describe_tool", "call_tool"];
  const loaded = many.filter(({ definition }) => definition.mcp._meta?.["anthropic/alwaysLoad"] === true);

  test("of many tools has those that search, for everybody the same, and those with `@alwaysLoad`", () => {
    expect(loaded).toHaveLength(1);
    const names = port.listTools().tools.map(({ name }) => name);
    expect(names).toEqual([...loaded.map(({ name }) => name), ...searching]);
    expect(port.listTools(undefined, new Set()).tools).toHaveLength(4);
    expect(port.listTools().tools[1]?.description).toContain(`It has ${many.length}`);
  });

  test("has a tool with `@alwaysLoad` only for those who may see it", () => {
    const _meta = { "anthropic/alwaysLoad": true };
    const vault = fakeTool(() => null, {
      name: "v",
      definition: { scopes: ["vault"], mcp: { inputSchema: {}, _meta } },
    });
    const plain = many.filter((tool) => !loaded.includes(tool));
    const listed = (scopes: readonly string[]): readonly string[] =>
      open([...plain, vault])
        .listTools(undefined, new Set(scopes))
        .tools.map(({ name }) => name);
    expect(listed([])).toEqual(searching);
    expect(listed(["vault"])).toEqual(["v", ...searching]);
  });

  test("of 30 tools, and of tools with one of those names, is the usual one", () => {
    expect(open(many.slice(0, 30)).listTools().tools).toHaveLength(30);
    const taken = [...many, fakeTool(() => null, { name: "call_tool" })];
    expect(open(taken).listTools().tools).toHaveLength(taken.length);
    expect(open(many, { toolSearch: false }).listTools().tools).toHaveLength(many.length);
  });
});

describe("search_tools", () => {
  test("finds by name, by description, by words that begin alike, the best first", async () => {
    expect((await found("shout"))[0]).toBe("shout");
    expect((await found("text in capitals"))[0]).toBe("shout");
    expect((await found("greetings for somebody"))[0]).toBe("greet");
    expect((await found("wait forever"))[0]).toBe("waitForever");
    expect(await found("xyzzy")).toEqual([]);
    expect(await found("the a of value number text", {}, 3)).toHaveLength(3);
  });

  test("gives name, first paragraph and signature", async () => {
    const { structuredContent, content } = await call("search_tools", { query: "capitals", limit: 1 });
    const tool = { name: "shout", description: "Writes a text in capitals.", signature: "shout(…): …" };
    expect(structuredContent).toEqual({ tools: [tool] });
    expect(content).toEqual([{ type: "text", text: JSON.stringify({ tools: [tool] }) }]);
  });

  test("leaves out what a caller may not see", async () => {
    expect(await found("vault", { scopes: new Set() })).not.toContain("openVault");
    expect(await found("vault", { scopes: new Set(["vault"]) })).toContain("openVault");
    expect(await call("describe_tool", { name: "openVault" }, { scopes: new Set() })).toMatchObject({ isError: true });
  });

  test.each<[JsonObject, string]>([
    [{}, "/query: a text is expected."],
    // Each word of a query is compared with all words of the tools.
    [{ query: "ab ".repeat(300_000) }, "/query: a text of at most 500 characters is expected."],
    [{ query: "a", limit: 0 }, "/limit: a whole number from 1 to 20 is expected."],
  ])("%j is refused in words for a model", async (args, text) => {
    expect(await call("search_tools", args)).toEqual({ isError: true, content: [{ type: "text", text }] });
  });
});

test("describe_tool gives the entry that the list would have", async () => {
  // Views belong to tools that a host calls by their own names.
  const listed = open(many, { toolSearch: false }).listTools(undefined, undefined, {}).tools;
  for (const entry of listed)
    expect(await call("describe_tool", { name: entry.name })).toMatchObject({ structuredContent: entry });
});

describe("call_tool", () => {
  test("is the call itself: result, validation, unknown arguments", async () => {
    const direct = (name: string, args: JsonObject): Promise<JsonObject> => call(name, args);
    for (const [name, args] of [
      ["shout", { text: "hi" }],
      ["shout", { text: 7 }],
    ] as const) {
      const { _meta: _one, ...through } = await call("call_tool", { name, arguments: args });
      const { _meta: _other, ...expected } = await direct(name, args);
      expect(through).toEqual(expected);
    }
    expect(await call("call_tool", { name: "shout", arguments: { text: 7 } })).toMatchObject({ isError: true });
  });

  test("asks the client, and goes on with the answer", async () => {
    const args = { name: "greet" };
    const { inputRequests, requestState } = await call("call_tool", args);
    const [id = ""] = Object.keys(inputRequests as object);
    const inputResponses = { [id]: { action: "accept", content: { name: "Ada" } } };
    expect(await call("call_tool", args, { inputResponses, requestState })).toMatchObject({
      content: [{ type: "text", text: "Hello Ada" }],
    });
  });

  test("becomes a task where the tool wants one", async () => {
    const extensions = { "io.modelcontextprotocol/tasks": {} };
    const task = await call("call_tool", { name: "waitForever" }, { capabilities: { extensions } });
    expect(task).toMatchObject({ status: "working" });
    await port.tasks?.cancel(String(task["taskId"]), { ...context, capabilities: { extensions } });
    await expect(call("call_tool", { name: "waitForever" })).rejects.toThrow(
      "needs a client that declares the extension",
    );
  });

  test("needs the scopes of the tool", () => {
    expect(port.scopesOf("tools/call", { name: "call_tool", arguments: { name: "openVault" } })).toEqual(["vault"]);
    expect(port.scopesOf("tools/call", { name: "openVault" })).toEqual(["vault"]);
    expect(port.scopesOf("tools/call", { name: "call_tool", arguments: { name: "shout" } })).toEqual([]);
    expect(port.scopesOf("tools/call", { name: "call_tool", arguments: null as never })).toEqual([]);
  });

  test("an unknown tool is answered with those that may be meant", async () => {
    const { content } = await call("call_tool", { name: "shouting" });
    expect(content).toEqual([
      {
        type: "text",
        text: expect.stringMatching(/There is no tool "shouting"\. Is one of these meant\? shout/) as unknown,
      },
    ]);
    expect(await call("call_tool", { name: "shout", arguments: "hi" })).toMatchObject({ isError: true });
    expect(await call("call_tool", { name: "call_tool" })).toMatchObject({ isError: true });
  });
});

describe("tenon://types.d.ts", () => {
  test("is listed, and holds the tools that the caller may see", async () => {
    expect(port.resources?.list().resources).toMatchObject([{ uri: "tenon://types.d.ts" }]);
    expect(open(many, { toolSearch: false }).resources).toBeUndefined();
    const read = async (scopes: ReadonlySet<string>): Promise<string> =>
      JSON.stringify(await port.resources?.read("tenon://types.d.ts", { ...context, scopes }));
    expect(await read(new Set())).not.toContain("openVault");
    expect(await read(new Set(["vault"]))).toContain("openVault");
  });

  /** Types that all refer to one another. */
  const entangled = (count: number): DeclaredTool => {
    const names = Array.from({ length: count }, (_, index) => `Type${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const open = { type: "object", additionalProperties: { anyOf: [{ $ref: "#/$defs/Open" }, { type: "null" }] } };
    const $defs = Object.fromEntries(names.map((name) => [name, { type: "object", properties }]));
    const inputSchema = {
      type: "object",
      properties,
      $defs: { ...$defs, Open: { anyOf: [open, { type: "string" }] } },
    };
    const outputSchema = { ...inputSchema, properties: { open: { $ref: "#/$defs/Open" } } };
    return { name: "entangle", description: "Entangles.", mcp: { inputSchema, outputSchema } };
  };

  test("the text of types that refer to one another does not grow beyond their schema", () => {
    const tool = entangled(30);
    expect(typeDeclarations([tool]).length).toBeLessThan(2 * JSON.stringify(tool.mcp.inputSchema).length);
  });

  test("the compiler takes the declarations of every kind of tool", () => {
    const text = typeDeclarations([...many.map(({ definition }) => definition), entangled(3)]);
    const host = ts.createCompilerHost({});
    const { getSourceFile } = host;
    host.getSourceFile = (name, ...rest) =>
      name === "types.d.ts" ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : getSourceFile(name, ...rest);
    const program = ts.createProgram(
      ["types.d.ts"],
      { strict: true, noEmit: true, lib: ["lib.es2023.d.ts"], types: [] },
      host,
    );
    expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
    expect(text).toContain("  shout(args?: {\n    text?: string;\n  }): Promise<unknown>;");
  });
});
