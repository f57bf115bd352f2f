import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeTool } from "../../support/fake-tool.ts";
import { serve, type TestServer } from "../../support/serve.ts";

let short: TestServer;
let plain: TestServer;
beforeAll(async () => {
  const flags = ["--test-without-sidecar", "--with-mcp"];
  const tools = [fakeTool((request) => request)];
  short = await serve(tools, {}, { TENON_SHORT_REQUESTS: "true" }, flags);
  plain = await serve(tools, {}, { TENON_SHORT_REQUESTS: "false" }, flags);
  await Promise.all([short.get("/healthz"), plain.get("/healthz")]);
});
afterAll(() => Promise.all([short.stop(), plain.stop()]));

test("TENON_SHORT_REQUESTS decides the class of requests", async () => {
  const areShort: boolean[] = [];
  const note = (message: unknown): void => {
    areShort.push("collect" in (message as { readonly request: object }).request);
  };
  subscribe("http.server.request.start", note);
  await short.get("/healthz");
  await plain.get("/healthz");
  unsubscribe("http.server.request.start", note);
  expect(areShort).toEqual([true, false]);
});

const json = "Content-Type: application/json";
const mcp = [json, "Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-11-25"];

function request(line: string, headers: readonly string[], body = "", framing?: string): string {
  const length = framing ?? `Content-Length: ${Buffer.byteLength(body)}`;
  return `${[`${line} HTTP/1.1`, "Host: localhost", ...headers, length].join("\r\n")}\r\n\r\n${body}`;
}

const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "fake", arguments: {} } });
const chunked = "Transfer-Encoding: chunked";

// The last request of each closes the connection.
const close = request("GET /healthz", ["Connection: close"]);

test.each([
  ["a call", request("POST /tool", [json], "{}")],
  ["a call in chunks", request("POST /tool", [json], "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", chunked)],
  ["two calls at once", request("POST /tool", [json], "{}") + request("POST /tool", [json], '{"number":1}')],
  ["a rare header", request("POST /tool", [json, "X-Rare: 1"], "{}")],
  ["a header twice", request("POST /tool", [json, "Accept: text/plain", "Accept: application/json"], "{}")],
  ["a preference", request("POST /tool", [json, "Prefer: respond-async"], "{}")],
  ["no body", request("POST /tool", [json])],
  ["a body that is not JSON", request("POST /tool", [json], "{")],
  ["a large body", request("POST /tool", [json], `"${"x".repeat(1_100_000)}"`)],
  ["another media type", request("POST /tool", ["Content-Type: text/plain"], "{}")],
  ["no media type", request("POST /tool", [], "{}")],
  ["both lengths", request("POST /tool", [json, chunked], "0\r\n\r\n")],
  ["another method", request("DELETE /tool", [])],
  ["an unknown route", request("GET /elsewhere", [])],
  ["the documents", request("GET /openapi.json", []) + request("GET /docs", [])],
  ["a foreign origin", request("POST /tool", [json, "Origin: http://evil.example"], "{}")],
  ["tools/call", request("POST /mcp", mcp, call)],
  ["tools/call, not JSON", request("POST /mcp", mcp, "{")],
  ["tools/call, not acceptable", request("POST /mcp", [json, "Accept: text/html"], call)],
])("TENON_SHORT_REQUESTS changes no answer: %s", async (_, text) => {
  const [one, other] = await Promise.all([short.raw(text + close, 60_000), plain.raw(text + close, 60_000)]);
  expect(one).toMatch(/^HTTP\/1\.1 \d{3}/);
  expect(comparable(one, short)).toBe(comparable(other, plain));
});

/** An answer without its date, the ids of its jobs, and the server's own port. */
function comparable(answer: string, { url }: TestServer): string {
  return answer
    .replaceAll(/^Date: .*$/gim, "Date")
    .replaceAll(/job(:|%3A)[0-9a-f-]{36}/gi, "job")
    .replaceAll(new URL(url).host, "host");
}
