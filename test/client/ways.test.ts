import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  createClient,
  isCallError,
  type CallFailure,
  type ServiceClient,
  type Transport,
} from "../../runtime/client/index.ts";
import { callMcp } from "../../cli/call/call-mcp.ts";
import { type McpTransport, mcpTransport } from "../../runtime/client/mcp/index.ts";
import { ValueError } from "../../runtime/base/errors.ts";
import { BinaryResult } from "../../runtime/job/binary-result.ts";
import { Content } from "../../runtime/job/content.ts";
import type { JobContext } from "../../runtime/executor/run/job-context.ts";
import { clearRegistry } from "../../runtime/service/tools/registry.ts";
import { createTestClient } from "../../runtime/kits/testing/index.ts";
import { definedTool } from "../support/defined-tool.ts";
import { deferred, fakeTool, type FakeTool } from "../support/fake-tool.ts";
import { serve, type TestServer } from "../support/serve.ts";

const gates = new Map<string, PromiseWithResolvers<void>>();
const functions = {
  times: ({ from }: { from: Date }) => ({ $schema: "urn:test:times.1", times: [from] }),
  big: ({ text }: { text: string }) => BigInt(text),
  say: ({ text }: { text: string }): string => text,
  bytes: () => new Uint8Array([0, 255]),
  picture: () => new BinaryResult(new Uint8Array([137, 80]), "image/png"),
  pieces: () => [Content.text("one"), "two"],
  nothing(): void {},
  refuse({ text }: { text: string }): void {
    throw new ValueError(`${text} is no prime.`);
  },
  async slow({ text }: { text: string }, job: JobContext) {
    await job.report.step("first", () => undefined);
    const { promise } = gates.get(text) ?? deferred();
    const stopped = new Promise<never>((_, reject) =>
      job.signal.addEventListener("abort", () => reject(job.signal.reason)),
    );
    await Promise.race([promise, stopped]);
    return { $schema: "urn:test:slow.1", text };
  },
};
const date = { type: "string", format: "date-time", "x-type": "Date" };
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const object = (urn: string, properties: object): NonNullable<FakeTool["result"]> => ({
  type: "object",
  properties: { $schema: { type: "string", const: urn }, ...properties },
  required: ["$schema"],
});
type Decode = (request: { from: string }) => unknown;
const decodeRequest: Decode = ({ from }) => ({ from: new Date(from) });
const encodeResult = (value: { times: readonly Date[] }): unknown => JSON.parse(JSON.stringify(value));
/** The tools as the plugin would have made them. */
const fakes: { readonly [Name in keyof typeof functions]: FakeTool } = {
  times: {
    request: { type: "object", properties: { from: date }, required: ["from"] },
    result: object("urn:test:times.1", { times: { type: "array", items: date } }),
    functions: { decodeRequest, encodeResult },
  },
  big: {
    request: text,
    result: { type: "string", "x-type": "bigint" },
    functions: { encodeResult: String },
  },
  say: { request: text, resultKind: "text", result: { type: "string" } },
  bytes: { request: null, resultKind: "bytes" },
  picture: { request: null, resultKind: "binary" },
  pieces: { request: null, resultKind: "content" },
  nothing: { request: null, resultKind: "none" },
  refuse: { request: text, resultKind: "none" },
  slow: { request: text, result: object("urn:test:slow.1", { text: { type: "string" } }) },
};
const names = Object.keys(functions) as (keyof typeof functions)[];

/** As the plugin describes results to MCP clients. */
function described(name: keyof typeof functions): FakeTool & { readonly name: string; readonly path: string } {
  const fake = fakes[name];
  const { result } = fake;
  const inputSchema = fake.request ?? { type: "object" };
  const isObject = result?.["type"] === "object";
  const mcp =
    result === undefined
      ? { inputSchema }
      : isObject
        ? { inputSchema, outputSchema: result }
        : {
            inputSchema,
            outputSchema: { type: "object", properties: { result }, required: ["result"] },
            wrapped: true as const,
          };
  return { name, path: `/tool/${name}`, ...fake, definition: { mcp } };
}

let server: TestServer;
const open: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const tools = names.map((name) => fakeTool(functions[name] as never, described(name)));
  server = await serve(tools, {}, { PLATFORM_SHUTDOWN_GRACE: "0" }, ["--test-without-sidecar", "--with-mcp"]);
  for (const name of names) definedTool(functions[name] as never, described(name));
});
afterAll(async () => {
  clearRegistry();
  for (const close of open) await close();
  await server.stop();
});

function overMcp(definition?: object): Transport {
  const transport = mcpTransport({ url: `${server.url}/mcp` }, { definition: definition as never });
  open.push(() => transport.close());
  return transport;
}
type Ways = Readonly<Record<string, () => Promise<ServiceClient<typeof functions>>>>;
const ways: Ways = {
  REST: async () => createClient<typeof functions>({ url: server.url }),
  "MCP over HTTP": async () => {
    const definition = (await (await server.get("/service.json")).json()) as object;
    return createClient<typeof functions>({ transport: overMcp(definition) });
  },
  "this process": async () => createTestClient(functions),
};

async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const error = await call.then(
    () => new Error("It did not fail."),
    (error: unknown) => error,
  );
  if (isCallError(error)) return error;
  throw error;
}

describe.each(Object.keys(ways))("over %s", (way) => {
  let client: ServiceClient<typeof functions>;
  beforeAll(async () => {
    client = (await ways[way]?.()) ?? client;
  });

  test("each kind of result has the value of its type", async () => {
    const from = new Date("2026-11-23T10:00:00.000Z");
    expect((await client.times({ from })).times).toEqual([from]);
    expect(await client.big({ text: "12" })).toBe(12n);
    expect(await client.say({ text: "plain" })).toBe("plain");
    expect(await client.bytes()).toEqual(new Uint8Array([0, 255]));
    const picture = await client.picture();
    expect([picture.type, picture.size]).toEqual(["image/png", 2]);
    expect((await client.pieces()).content).toMatchObject([{ text: "one" }, { text: "two" }]);
    expect(await client.nothing()).toBeUndefined();
  });

  test("failures have their kind and their problems", async () => {
    const invalid = await failureOf(client.say({ text: 7 } as never));
    expect(invalid).toMatchObject({ kind: "validation", status: 422, problems: [{ path: "/text" }] });
    expect(await failureOf(client.refuse({ text: "4" }))).toMatchObject({
      kind: "user-input",
      status: 400,
      message: "4 is no prime.",
      jobId: expect.stringMatching(/^urn:platform:job:/),
    });
    const other = client as unknown as ServiceClient<{ gone: () => void }>;
    expect(await failureOf(other.gone())).toMatchObject({
      kind: "not-found",
      message: expect.stringContaining("times"),
    });
  });

  test("a job has events, a result, and is cancelled", async () => {
    gates.set(way, deferred());
    const job = await client.slow.start({ text: way });
    const seen: unknown[] = [];
    for await (const { id, data } of job.events()) {
      seen.push([id, data["name"]]);
      gates.get(way)?.resolve();
    }
    expect(seen).toEqual([
      [1, "first"],
      [2, "first"],
    ]);
    expect(await job.result()).toMatchObject({ text: way });
    const later: number[] = [];
    for await (const { id } of client.slow.job(job.id).events({ after: 1 })) later.push(id);
    expect(later).toEqual([2]);

    const other = await client.slow.start({ text: `${way}, never` });
    await other.cancel();
    expect(await failureOf(other.result())).toMatchObject({ kind: "cancelled" });
    expect(await failureOf(client.slow.job("nobody").result())).toMatchObject({ kind: "lost" });
  });

  test("a signal ends a call with its reason, a time-out with its own kind", async () => {
    const stop = new AbortController();
    const call = client.slow({ text: `${way}, aborted` }, { signal: stop.signal });
    const reason = new Error("Enough.");
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await failureOf(client.slow({ text: `${way}, late` }, { timeout: 10 }))).toMatchObject({
      kind: "timed-out",
    });
  });
});

test("over MCP without a definition, pieces of content stand for bytes", async () => {
  const client = createClient<typeof functions>({ transport: overMcp() });
  expect(await client.picture()).toMatchObject({ content: [{ mimeType: "image/png" }] });
  expect(await client.big({ text: "7" })).toBe(7n);
});

test("over MCP, a tool that only the search of the server finds is called by its name", async () => {
  const found = ["times", "big", "bytes"] as const;
  const opened: McpTransport[] = [];
  // A list of 30 tools or fewer has no search.
  const others = Array.from({ length: 30 }, (_, index) =>
    fakeTool(() => 1, { name: `t${index}`, path: `/tool/t${index}` }),
  );
  const searched = await serve(
    [...found.map((name) => fakeTool(functions[name] as never, described(name))), ...others],
    {},
    { TENON_TOOL_SEARCH: "true" },
    ["--test-without-sidecar", "--with-mcp"],
  );
  const definition = (await (await searched.get("/service.json")).json()) as object;
  const clientOf = (options: object): ServiceClient<typeof functions> => {
    const transport = mcpTransport({ url: `${searched.url}/mcp` }, options);
    opened.push(transport);
    return createClient<typeof functions>({ transport });
  };
  try {
    const [described, known] = [clientOf({}), clientOf({ definition })];
    expect(await described.big({ text: "7" })).toBe(7n);
    expect(await described.big({ text: "8" })).toBe(8n);
    expect(await failureOf(described.say({ text: "a" }))).toMatchObject({
      kind: "not-found",
      message: expect.stringContaining('There is no tool "say".'),
    });
    expect(await known.bytes()).toEqual(await functions.bytes());
    expect((await callMcp(`${searched.url}/mcp`, "big", { text: "9" }, () => {})).text).toBe("9");
  } finally {
    await Promise.all(opened.map((transport) => transport.close()));
    await searched.stop();
  }
});

test("over stdio a tool asks its user; the process ends with the connection, and the next call starts another", async () => {
  const asked: string[] = [];
  const transport = mcpTransport(
    { command: process.execPath, args: [join(inject("bundledServices"), "asking-service.js")] },
    {
      definition: { tools: [{ name: "ask", path: "", "result-kind": "text" }] },
      ask({ message, schema }) {
        asked.push(`${message} ${Object.keys(schema["properties"] ?? {}).join()}`);
        return message === "No?" ? undefined : { name: asked.length === 1 ? "Ada" : "Grace" };
      },
    },
  );
  open.push(() => transport.close());
  const client = createClient<{ ask: () => string }>({ transport });
  expect(await client.ask()).toBe("Ada and Grace");
  expect(asked).toEqual(["Who? name", "Who else, Ada? name"]);
  await transport.close();
  expect(await client.ask()).toBe("Grace and Grace");
});

test("a caller that cannot be asked, and a server that is not there", async () => {
  const deaf = mcpTransport({
    command: process.execPath,
    args: [join(inject("bundledServices"), "asking-service.js")],
  });
  open.push(() => deaf.close());
  const client = createClient<{ ask: () => string }>({ transport: deaf });
  expect(await failureOf(client.ask())).toMatchObject({ message: expect.stringContaining("elicitation") });
  const nobody = createClient<{ ask: () => string }>({ transport: mcpTransport({ url: "http://127.0.0.1:1/mcp" }) });
  expect((await failureOf(nobody.ask())).kind).toBe("unreachable");
});

test("a key that MCP cannot carry is refused", async () => {
  const { say } = createClient<typeof functions>({ transport: overMcp() });
  const failure = await failureOf(say({ text: "a" }, { idempotencyKey: "once" }));
  expect(failure).toMatchObject({ kind: "unavailable", message: "MCP has no idempotency keys; REST has." });
});
