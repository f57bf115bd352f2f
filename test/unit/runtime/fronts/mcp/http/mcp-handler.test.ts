import { expect, test } from "vitest";
import { ToolError } from "../../../../../../runtime/base/errors.ts";
import type { Caller } from "../../../../../../runtime/fronts/http/identity.ts";
import { createMcpHandler, type McpHandlerParts } from "../../../../../../runtime/fronts/mcp/http/mcp-handler.ts";
import type { McpSender } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { fakeExchange, type FakeRequest } from "../../../../../support/fake-exchange.ts";

const modern = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const json = { "content-type": "application/json" };
const modernHead = { ...json, "mcp-protocol-version": modern, "mcp-method": "tools/list" };
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const modernList = { ...list, params: { _meta: meta } };
const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", _meta: meta } };
const note = { jsonrpc: "2.0", method: "notifications/initialized" };

interface Scene {
  readonly plain?: boolean;
  readonly takes?: boolean;
  /** False: the plain engine gives the request on. */
  readonly answers?: boolean;
  readonly caller?: Caller;
  readonly onPlatform?: boolean;
  readonly fails?: unknown;
}

/** Tells who answers a request, `plain`, `full` or `session`, or the status and the error of the refusal. */
async function route(request: FakeRequest & { readonly message?: unknown }, scene: Scene = {}) {
  const senders: McpSender[] = [];
  const asked: unknown[] = [];
  const answered = (by: string) => ({ status: 200, headers: [], body: by });
  const plain = {
    answer: (_: unknown, sender: McpSender, reply: { end(text: string, b: undefined, f: undefined): void }) => {
      if (scene.answers === false) return false as const;
      senders.push(sender);
      reply.end("plain", undefined, undefined);
      return () => {};
    },
  };
  const port = {
    scopesOf: (method: string) => (method === "tools/call" ? ["use"] : []),
    headerParameters: () => [{ header: "Region", path: ["region"], numeric: false }],
  };
  const handler = createMcpHandler({
    side: () => ({ port, plain: scene.plain === false ? undefined : plain }),
    engine: {
      get: async () => ({
        fetch: async (_: Request, body: unknown, sender: McpSender) => {
          if (scene.fails !== undefined) throw scene.fails;
          asked.push(body);
          senders.push(sender);
          return new Response("full");
        },
      }),
    },
    sessions: {
      takes: () => scene.takes === true,
      answer: async (_: unknown, sender: McpSender, body: unknown) => {
        asked.push(body);
        senders.push(sender);
        return answered("session");
      },
    },
    onPlatform: scene.onPlatform === true,
    bodyLimit: 1000,
  } as unknown as McpHandlerParts);
  const body = "message" in request ? JSON.stringify(request.message) : (request.body ?? "");
  const { exchange, answers } = fakeExchange({ headers: json, ...request, body });
  try {
    handler(exchange, scene.caller);
  } catch (error) {
    return { by: (error as ToolError).kind };
  }
  await expect.poll(() => answers.length).toBe(1);
  const [answer] = answers;
  const text = answer?.body === undefined ? "" : await new Response(answer.body as ReadableStream | string).text();
  const [sender] = senders;
  if (/^(?:plain|full|session)$/.test(text)) return { by: text, sender, asked };
  const { error } = (text === "" ? {} : JSON.parse(text)) as { error?: { code: number; message: string } };
  return { by: answer?.status, code: error?.code, message: error?.message, sender, asked };
}

const byOf = async (request: Parameters<typeof route>[0], scene?: Scene) => (await route(request, scene)).by;

test.each([
  ["GET", undefined, true, "session"],
  ["DELETE", "2025-11-25", true, "session"],
  ["GET", modern, true, 405],
  ["GET", undefined, false, 405],
  ["PUT", undefined, true, 405],
  ["HEAD", undefined, true, 405],
])("%s of the revision %s, of a session %s: %s", async (method, revision, takes, by) => {
  const headers = revision === undefined ? {} : { "mcp-protocol-version": revision };
  expect(await byOf({ method, headers }, { takes })).toBe(by);
});

test("a POST is of a session only where its revision is an older one", async () => {
  expect((await route({ message: list }, { takes: true })).asked).toEqual([list]);
  expect(await byOf({ message: list }, { takes: true })).toBe("session");
  expect(await byOf({ message: modernList, headers: modernHead }, { takes: true })).toBe("plain");
});

test.each<[string, unknown, Readonly<Record<string, string>>, string | number]>([
  ["an older request", list, json, "plain"],
  ["an older request with its revision", list, { ...json, "mcp-protocol-version": "2025-06-18" }, "plain"],
  ["an older request with an unknown revision", list, { ...json, "mcp-protocol-version": "2001-01-01" }, "full"],
  ["an older request with a newer header", list, { ...json, "mcp-method": "tools/list" }, "full"],
  ["a newer request", modernList, modernHead, "plain"],
  ["a newer request without its method", modernList, { ...json, "mcp-protocol-version": modern }, "full"],
  ["a newer request of another method", modernList, { ...modernHead, "mcp-method": "tools/call" }, "full"],
  ["a newer request without its revision", modernList, { ...json, "mcp-method": "tools/list" }, "full"],
  ["a newer call", call, { ...modernHead, "mcp-method": "tools/call", "mcp-name": "echo" }, "plain"],
  ["a newer call of another name", call, { ...modernHead, "mcp-method": "tools/call", "mcp-name": "x" }, "full"],
  ["a request that takes both types", list, { ...json, accept: "application/json, text/event-stream" }, "plain"],
  ["one that takes them in another order", list, { ...json, accept: "text/event-stream,application/json" }, "plain"],
  ["one that takes anything", list, { ...json, accept: "text/html, */*" }, "plain"],
  ["one that takes JSON alone", list, { ...json, accept: "application/json" }, "full"],
  ["one that takes events alone", list, { ...json, accept: "text/event-stream" }, "full"],
  ["an older notification", note, json, 202],
  ["an older notification with its revision", note, { ...json, "mcp-protocol-version": "2025-11-25" }, 202],
  ["a newer notification", note, { ...json, "mcp-protocol-version": modern }, "full"],
  ["a notification that takes JSON alone", note, { ...json, accept: "application/json" }, "full"],
  ["a notification with a member more", { ...note, more: 1 }, json, "full"],
  ["a notification with parameters", { ...note, params: { a: 1 } }, json, 202],
  ["a notification with facts about itself", { ...note, params: { _meta: {} } }, json, "full"],
  ["a notification of another kind", { ...note, method: "tools/list" }, json, "full"],
  ["an answer", { jsonrpc: "2.0", id: 1, result: {} }, json, "full"],
  ["a batch", [list], json, "full"],
])("%s", async (_, message, headers, by) => {
  expect(await byOf({ message, headers })).toBe(by);
});

test("what the plain engine does not take, and all without one, goes to the full one", async () => {
  for (const scene of [{ answers: false }, { plain: false }])
    expect(await route({ message: list }, scene)).toMatchObject({ by: "full", asked: [list] });
});

test.each<[string, FakeRequest & { readonly message?: unknown }, number, number, string]>([
  ["no JSON", { body: "{" }, 400, -32700, "JSON"],
  ["no message", { message: 7 }, 400, -32600, "a message is an object"],
  ["an empty batch", { message: [] }, 400, -32600, "the batch is empty"],
  ["a call without a name", { message: { ...call, params: {} } }, 400, -32602, "`name` must be a string"],
  [
    "a parameter whose header says something else",
    {
      message: { ...call, params: { ...call.params, arguments: { region: "eu" } } },
      headers: { ...modernHead, "mcp-method": "tools/call", "mcp-name": "echo", "mcp-param-region": "us" },
    },
    400,
    -32020,
    "Region",
  ],
])("%s is refused with its code", async (_, request, by, code, text) => {
  const answer = await route(request);
  expect(answer).toMatchObject({ by, code });
  expect(answer.message).toContain(text);
});

test("a parameter whose header agrees, and one of an older client without headers, are taken", async () => {
  const message = { ...call, params: { ...call.params, arguments: { region: "eu" } } };
  const head = { ...modernHead, "mcp-method": "tools/call", "mcp-name": "echo" };
  expect(await byOf({ message, headers: { ...head, "mcp-param-region": "eu" } })).toBe("plain");
  expect(await byOf({ message: { ...message, params: { name: "echo", arguments: { region: "eu" } } } })).toBe("plain");
});

test("a body that is not JSON is refused before it is read", async () => {
  for (const headers of [{}, { "content-type": "text/plain" }])
    expect(await byOf({ message: list, headers })).toBe("unsupported-media-type");
});

test("a caller without the scope gets nowhere, whoever would answer; a caller with it and none are let through", async () => {
  const refused: string[][] = [];
  const caller = (has: boolean) =>
    ({
      require(needs: string[]) {
        refused.push(needs);
        if (!has) throw new ToolError("insufficient-scope", "It needs use.", { challenge: "Bearer x" });
      },
    }) as unknown as Caller;
  const older = { ...call, params: { name: "echo" } };
  for (const scene of [{}, { plain: false }, { takes: true }, { answers: false }]) {
    expect(await byOf({ message: older }, { ...scene, caller: caller(false) })).toBe(403);
    expect(await byOf({ message: older }, { ...scene, caller: caller(true) })).toBeTypeOf("string");
    expect(await byOf({ message: older }, scene)).toBeTypeOf("string");
  }
  expect(refused).toEqual(Array.from({ length: 8 }, () => ["use"]));
  expect(await byOf({ message: list }, { caller: caller(false) })).toBe("plain");
});

test("the sender has what the headers say, and its authorisation on the platform alone", async () => {
  const headers = {
    ...modernHead,
    authorization: "Bearer a",
    traceparent: "t",
    tracestate: "s",
    baggage: "k=v",
  };
  const own = { traceparent: "t", tracestate: "s", baggage: "k=v", revision: modern, logLevel: "info" };
  expect((await route({ message: modernList, headers })).sender).toMatchObject({ ...own, authorization: undefined });
  expect((await route({ message: modernList, headers }, { onPlatform: true })).sender).toMatchObject({
    ...own,
    authorization: "Bearer a",
  });
  expect((await route({ message: list })).sender).toMatchObject({ baggage: undefined, revision: undefined });
});

test("an engine that breaks is an error of the service", async () => {
  const scene = { plain: false, fails: new Error("secret") };
  const answer = await route({ message: list }, scene);
  expect(answer).toMatchObject({ by: 500, code: -32603 });
  expect(answer.message).not.toContain("secret");
});
