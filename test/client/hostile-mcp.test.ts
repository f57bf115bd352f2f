import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { json as bodyOf } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, isCallError, type CallFailure } from "../../runtime/client/index.ts";
import { mcpTransport } from "../../runtime/client/mcp/index.ts";

/** Servers at the other end of `mcpTransport` that answer a call with what no service would. */

interface Message {
  readonly id?: number;
  readonly method: string;
}
type Answer = (response: ServerResponse, id: number) => void;

const results: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "tools/list": {
    tools: [
      {
        name: "tool",
        inputSchema: { type: "object" },
        outputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
      },
    ],
  },
};
const json = { "content-type": "application/json" };
const stream = { "content-type": "text/event-stream" };
const rpc = (id: number, more: object): string => JSON.stringify({ jsonrpc: "2.0", id, ...more });

/** A server of an older revision that answers calls as the test says. */
async function listening(answer: Answer): Promise<string> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = (await bodyOf(request)) as Message;
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/call") return answer(response, id);
    const result = results[method];
    const more = result === undefined ? { error: { code: -32_601, message: "Unknown method" } } : { result };
    response.writeHead(200, json).end(rpc(id, more));
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function failureAt(url: string): Promise<CallFailure> {
  const transport = mcpTransport({ url });
  onTestFinished(() => transport.close().catch(() => {}));
  const { tool } = createClient<{ tool: () => object }>({ transport });
  const error = await tool(undefined, { timeout: 60_000 }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCallError(error)) throw error;
  return error;
}

const failureOf = async (answer: Answer): Promise<CallFailure> => failureAt(await listening(answer));

describe("an answer or an event has at most 64 MiB", () => {
  function endless(response: ServerResponse, first: string, piece: string): void {
    const pieces = function* (): Generator<string> {
      yield first;
      for (let sent = 0; sent < 80; sent++) yield piece.repeat(1024 * 1024);
    };
    Readable.from(pieces()).pipe(response);
  }

  test("an answer", async () => {
    const failure = await failureOf((response) => endless(response.writeHead(200, json), "", " "));
    expect(failure).toMatchObject({ kind: "unexpected", message: expect.stringMatching(/\/mcp exceeds 64 MiB\.$/) });
  });

  test.each(["", "id: 1\ndata:\n\n"])("an event after %j", async (first) => {
    const failure = await failureOf((response) => endless(response.writeHead(200, stream), `${first}data: `, "x"));
    expect(failure).toMatchObject({ kind: "unexpected", message: "An event exceeds 64 MiB." });
  });

  test.each(["\n\n", "\r\n\r\n"])("a stream of small events that end with %j may be longer", async (end) => {
    const url = await listening((response, id) => {
      const pieces = function* (): Generator<string> {
        for (let sent = 0; sent < 70; sent++) yield `: ${"x".repeat(1024 * 1024)}${end}`;
        yield `data: ${rpc(id, { result: { content: [], structuredContent: { a: 1 } } })}${end}`;
      };
      Readable.from(pieces()).pipe(response.writeHead(200, stream));
    });
    const transport = mcpTransport({ url });
    onTestFinished(() => transport.close());
    expect(await createClient<{ tool: () => object }>({ transport }).tool()).toEqual({ a: 1 });
  });
});

test.each<[string, string, Answer]>([
  ["null", "The answer is not MCP.", (response, id) => response.end(rpc(id, { result: null }))],
  [
    "a result without content",
    "Invalid result for tools/call",
    (response, id) => response.end(rpc(id, { result: { content: "x" } })),
  ],
  ["no JSON", "JSON", (response) => response.end("{")],
  ["no message", "The answer is not MCP.", (response) => response.end("{}")],
  [
    "a result of another schema",
    "Structured content does not match",
    (response, id) => response.end(rpc(id, { result: { content: [], structuredContent: { a: "x" } } })),
  ],
  [
    "a broken problem",
    "The result cannot be read.",
    (response, id) =>
      response.end(rpc(id, { result: { content: [], isError: true, _meta: { "platform/problem": { type: 7 } } } })),
  ],
])("%s is unexpected, in one line", async (_, told, answer) => {
  const failure = await failureOf((response, id) => answer(response.writeHead(200, json), id));
  expect(failure).toMatchObject({ kind: "unexpected", message: expect.stringContaining(told) });
  expect(failure.message).not.toContain("\n");
});

test("a page is unexpected", async () => {
  const failure = await failureOf((response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"));
  expect(failure).toMatchObject({ kind: "unexpected", message: "Unexpected content type: text/html" });
});

test("a request that the server refuses is still the caller's", async () => {
  const error = { code: -32_602, message: "No such thing" };
  const failure = await failureOf((response, id) => response.writeHead(200, json).end(rpc(id, { error })));
  expect(failure).toMatchObject({ kind: "bad-request", message: expect.stringContaining("No such thing") });
});

test.each([429, 503])("a problem with status %d has its kind, status and Retry-After", async (status) => {
  const problem = { type: "urn:platform:problem:too-many-requests", detail: "Slow down." };
  const failure = await failureOf((response) =>
    response
      .writeHead(status, { "retry-after": "7", "content-type": "application/problem+json" })
      .end(JSON.stringify(problem)),
  );
  expect(failure).toMatchObject({ kind: "too-many-requests", message: "Slow down.", status, retryAfter: 7 });
});

test.each([404, 502])("a page with status %d has its status", async (status) => {
  const failure = await failureOf((response) =>
    response.writeHead(status, { "content-type": "text/html" }).end("<p>\n</p>"),
  );
  expect(failure).toMatchObject({ kind: "unexpected", status });
  expect(failure.message).not.toContain("\n");
});

test("a redirect of the first request is unexpected, and names its target", async () => {
  const server = createServer((_, response) => response.writeHead(307, { location: "http://elsewhere.test/" }).end());
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const failure = await failureAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  expect(failure).toMatchObject({
    kind: "unexpected",
    status: 307,
    message: expect.stringContaining("redirects to http://elsewhere.test/"),
  });
});

test.each<[string, Answer]>([
  ["ends", (response) => response.end()],
  ["breaks", (response) => response.write(": \n\n") && setImmediate(() => response.destroy())],
])("a stream that %s without an answer ends the call", async (_, answer) => {
  const failure = await failureOf((response, id) => answer(response.writeHead(200, stream), id));
  expect(failure).toMatchObject({ kind: "unreachable", message: expect.stringContaining("ended the connection") });
});
