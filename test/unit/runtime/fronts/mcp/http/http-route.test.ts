import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { ToolError } from "../../../../../../runtime/base/errors.ts";
import { answerFully, methodNotAllowed, refuse } from "../../../../../../runtime/fronts/mcp/http/http-route.ts";
import { streamHolds } from "../../../../../../runtime/fronts/http/held-by-stream.ts";
import { flushLogs, loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import type { McpSender } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { fakeExchange, type FakeRequest } from "../../../../../support/fake-exchange.ts";

/** The request that the engine sees, and the answer that becomes of its response. */
async function seen(request: FakeRequest, response = new Response(null)) {
  const fake = fakeExchange(request);
  let given: Request | undefined;
  const fetch = async (one: Request): Promise<Response> => {
    given = one;
    return response;
  };
  const answer = await answerFully({ fetch }, fake.exchange, {} as McpSender, undefined);
  if (given === undefined) throw new Error("The engine was not asked.");
  return { ...fake, given, answer };
}

test("the engine sees the headers of the protocol, and no credentials", async () => {
  const ofProtocol = {
    "mcp-protocol-version": "1",
    "mcp-method": "2",
    "mcp-name": "3",
    "mcp-session-id": "4",
    "last-event-id": "5",
  };
  const headers = { ...ofProtocol, authorization: "Bearer a", cookie: "a=b", "x-own": "1" };
  const { given } = await seen({ headers });
  const fixed = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  expect(Object.fromEntries(given.headers)).toEqual({ ...ofProtocol, ...fixed });
  expect([given.method, given.body]).toEqual(["POST", null]);
});

test.each([
  [undefined, "application/json, text/event-stream"],
  ["text/html, */*;q=0.1", "application/json, text/event-stream"],
  ["application/json", "application/json"],
])("a request that accepts %j accepts %j", async (accept, expected) => {
  const { given } = await seen({ method: "GET", headers: accept === undefined ? {} : { accept } });
  expect([given.headers.get("accept"), given.headers.get("content-type")]).toEqual([expected, null]);
});

test("what a stream holds for a slow reader counts for its server", async () => {
  const server = new EventEmitter();
  const held: number[] = [];
  server.on(streamHolds, (_, difference: number) => held.push(difference));
  const call = Object.assign(new EventEmitter(), { req: { socket: { server } } });
  const { exchange } = fakeExchange({});
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(7)) });
  const asked = Object.defineProperty(exchange, "call", { value: call });
  const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
  await answerFully({ fetch: async () => response }, asked, {} as McpSender, undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(held).toEqual([7]);
});

test("a caller that leaves aborts the request of the engine", async () => {
  const { given, leave } = await seen({});
  expect(given.signal.aborted).toBe(false);
  leave();
  expect(given.signal.aborted).toBe(true);
});

test("a response is answered as it is, but for a charset that JSON does not have", async () => {
  const headers = { "content-type": "application/json;charset=utf-8", "x-own": "1" };
  const { answer } = await seen({}, new Response("{}", { status: 404, headers }));
  expect([answer.status, answer.headers]).toEqual([404, ["content-type", "application/json", "x-own", "1"]]);
  expect(await new Response(answer.body as ReadableStream | string).text()).toBe("{}");
  expect((await seen({}, new Response(null, { status: 202 }))).answer.body).toBeUndefined();
});

test.each([
  [new ToolError("malformed-json", "m"), 400, -32700, []],
  [new ToolError("bad-request", "m"), 400, -32600, []],
  [new ToolError("too-large", "m"), 413, -32000, []],
  [new ToolError("unavailable", "m", { retryAfter: 2 }), 503, -32000, ["Retry-After", "2"]],
  [new ToolError("unauthorized", "m", { challenge: "Bearer" }), 401, -32000, ["WWW-Authenticate", "Bearer"]],
])("%o is refused as a message without an id", (error, status, code, headers) => {
  const answer = refuse(error);
  expect([answer.status, answer.headers]).toEqual([status, ["Content-Type", "application/json", ...headers]]);
  expect(JSON.parse(String(answer.body))).toEqual({ jsonrpc: "2.0", id: null, error: { code, message: "m" } });
});

test("an error of the service is logged, and its text is not sent; a refusal is not logged", async () => {
  const lines: string[] = [];
  loggingInit({ level: "DEBUG", write: (line) => lines.push(line) });
  const answer = refuse(new Error("secret"));
  refuse(new ToolError("too-large", "m"));
  await flushLogs();
  expect(answer.status).toBe(500);
  expect(String(answer.body)).not.toContain("secret");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("secret");
});

test("any other method is refused", () => {
  const { status, headers, body } = methodNotAllowed();
  expect([status, headers.slice(2)]).toEqual([405, ["Allow", "POST"]]);
  expect(JSON.parse(String(body)).error).toEqual({ code: -32000, message: "Method not allowed." });
});
