import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, type ServerOptions } from "../../../runtime/service/config/config.ts";
import { restDocuments } from "../../../runtime/start/parts/describe.ts";
import { createExecutor } from "../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../runtime/executor/store/memory/memory.ts";
import { createRoutes } from "../../../runtime/fronts/rest/routes.ts";
import { Service } from "../../../runtime/service/service.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { serve, type TestServer } from "../../support/serve.ts";

const auth = { issuer: "https://login.example.org", audience: "https://tools.example.org/mcp" };
const id = "0199999a-0000-7000-8000-000000000000";
const bodyLimit = 20_000;
let calls = 0;

const tools = [
  fakeTool(() => ++calls, { name: "one", path: "/tool/one", request: {} }),
  fakeTool(() => ++calls, { name: "two", path: "/tool/two", request: {}, definition: { scopes: ["two"] } }),
];

/** Callers of a route: `all` needs neither a proper Host nor a token, `open` no token. */
type Door = "all" | "open" | "closed";
/** Method, path, door, and the status of a plain request; 401 where callers are authenticated. */
const routes: readonly (readonly [string, string, Door, number])[] = [
  ["POST", "/tool/one", "closed", 200],
  ["GET", "/tool/one", "closed", 200],
  ["POST", "/tool/two", "closed", 200],
  ["GET", "/tool/two", "closed", 200],
  ["GET", "/tool", "closed", 200],
  ["GET", `/jobs/${id}`, "closed", 404],
  ["DELETE", `/jobs/${id}`, "closed", 404],
  ["GET", `/jobs/${id}/events`, "closed", 404],
  ["GET", `/jobs/${id}/history`, "closed", 404],
  ["POST", `/jobs/${id}/fork`, "closed", 404],
  ["GET", `/tool/one/jobs/${id}`, "closed", 404],
  ["DELETE", `/tool/one/jobs/${id}`, "closed", 404],
  ["GET", `/tool/one/jobs/${id}/events`, "closed", 404],
  ["GET", `/tool/one/jobs/${id}/history`, "closed", 404],
  ["POST", `/tool/one/jobs/${id}/fork`, "closed", 404],
  ["GET", `/tool/two/jobs/${id}`, "closed", 404],
  ["DELETE", `/tool/two/jobs/${id}`, "closed", 404],
  ["GET", `/tool/two/jobs/${id}/events`, "closed", 404],
  ["GET", `/tool/two/jobs/${id}/history`, "closed", 404],
  ["POST", `/tool/two/jobs/${id}/fork`, "closed", 404],
  ["GET", "/openapi.json", "closed", 200],
  ["GET", "/service.json", "closed", 200],
  ["GET", "/jobs", "closed", 200],
  ["GET", "/queue", "closed", 200],
  // The page holds nothing of the service: it asks for a token, and calls with it.
  ["GET", "/docs", "open", 200],
  ["POST", "/mcp", "closed", 400],
  ["GET", "/mcp", "closed", 405],
  ["DELETE", "/mcp", "closed", 405],
  ["GET", "/healthz", "all", 200],
  ["GET", "/readyz", "all", 200],
  ["GET", "/_healtz", "all", 200],
  ["GET", "/nothing", "closed", 404],
  ["OPTIONS", "/tool/one", "closed", 405],
  ["HEAD", "/tool/one", "closed", 200],
  ["PUT", "/jobs/x", "closed", 405],
];
const metadata = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"];

const flags = ["--test-without-sidecar", "--with-mcp"];
const start = (options: ServerOptions = {}, env: Record<string, string> = {}): Promise<TestServer> =>
  serve(tools, { bodyLimit, ...options }, env, flags);

let plain: TestServer;
let guarded: TestServer;
let limited: TestServer;
beforeAll(async () => {
  [plain, guarded, limited] = await Promise.all([
    start(),
    start({ auth }),
    start({}, { TENON_RATE_LIMIT: `${routes.length + 5}/h` }),
  ]);
});
afterAll(() => Promise.all([plain.stop(), guarded.stop(), limited.stop()]));

/** Status and head of the answer to a request with exactly these lines. */
async function send(
  server: TestServer,
  method: string,
  target: string,
  lines: readonly string[] = [],
): Promise<string> {
  const body =
    method === "POST" && !lines.some((line) => /^(?:content-length|transfer-encoding)/i.test(line)) ? "{}" : "";
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...(lines.some((line) => /^host:/i.test(line)) ? [] : ["Host: localhost"]),
    "Connection: close",
    ...(method === "POST" ? ["Content-Type: application/json"] : []),
    ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
    ...lines,
  ];
  return server.raw(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

test("the table has every route", async () => {
  const served = { service: new Service({ name: "Test" }), version: "1", tools };
  const { methods } = await createRoutes({
    tools,
    executor: createExecutor({ tools, store: createMemoryStore() }),
    documents: async () => restDocuments(served, readConfig({}, []), 202),
    deferredStatus: 202,
    version: "1",
    service: "Test",
    source: "test",
    consolePaths: ["/docs"],
    delivery: { catchUp: () => undefined },
  });
  const known = new Set(routes.map(([method, path]) => `${method} ${path.replace(id, ":id")}`));
  const missing = [...methods]
    .flatMap(([path, of]) => of.filter((method) => method !== "HEAD").map((method) => `${method} ${path}`))
    .filter((route) => !known.has(route));
  expect(missing).toEqual([]);
});

describe.each(routes)("%s %s", (method, path, door, status) => {
  test("Host and Origin", async () => {
    const cases: readonly (readonly [string, number])[] = [
      ["Host: localhost:8080", status],
      ["Host: 127.0.0.1", status],
      ["Host: evil.example.com", door === "all" ? status : 403],
      ["Host: localhost.evil.example.com", door === "all" ? status : 403],
      ["Origin: http://evil.example.com", 403],
      ["Origin: http://localhost.evil.example.com", 403],
      ["Origin: null", 403],
      ["Origin: file://", 403],
      ["Origin: http://localhost:5173", 403],
      ["Origin: http://localhost", status],
    ];
    for (const [line, expected] of cases) {
      const answer = await send(plain, method, path, [line]);
      expect([line, statusOf(answer)]).toEqual([line, expected]);
      expect(answer).not.toMatch(/access-control-/i);
    }
  });

  test("a token", async () => {
    for (const lines of [[], ["Authorization: Bearer x.y.z"], ["Authorization: Basic YTpi"]]) {
      const answer = await send(guarded, method, path, lines);
      expect([lines, statusOf(answer)]).toEqual([lines, door === "closed" ? 401 : status]);
      expect(/www-authenticate: bearer .*resource_metadata=/i.test(answer)).toBe(door === "closed");
    }
    expect(statusOf(await send(guarded, method, `${path}?access_token=x.y.z`))).toBe(door === "closed" ? 401 : status);
    // A page of another site gets no challenge that it could follow.
    expect(statusOf(await send(guarded, method, path, ["Origin: http://evil.example.com"]))).toBe(403);
  });

  test("size, depth and media type", async () => {
    const large = `Content-Length: ${bodyLimit + 1}`;
    const deep = `${"[".repeat(600)}${"]".repeat(600)}`;
    const reads = method === "POST";
    const before = calls;
    expect(statusOf(await send(plain, method, path, reads ? [large] : []))).toBe(reads ? 413 : status);
    const chunk = "x".repeat(bodyLimit + 1);
    const chunked = `Host: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
    expect(statusOf(await plain.raw(`${method} ${path} HTTP/1.1\r\n${chunked}`))).toBe(reads ? 413 : status);
    const whole = (body: string, type: string, more = ""): string =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
    expect(statusOf(await plain.raw(whole(deep, "application/json")))).toBe(reads ? 400 : status);
    expect(statusOf(await plain.raw(whole("{}", "text/plain")))).toBe(reads ? 415 : status);
    expect(statusOf(await plain.raw(whole("{}", "application/json", "Content-Encoding: gzip\r\n")))).toBe(
      reads ? 415 : status,
    );
    expect(calls).toBe(before);
  });
});

test("the metadata needs no token, and a proper Host", async () => {
  for (const path of metadata) {
    const response = await guarded.get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      resource: auth.audience,
      authorization_servers: [auth.issuer],
      scopes_supported: ["two"],
      bearer_methods_supported: ["header"],
      resource_name: "Test service",
    });
    expect(statusOf(await send(guarded, "GET", path, ["Host: evil.example.com"]))).toBe(403);
    expect(statusOf(await send(guarded, "GET", path, ["Origin: http://evil.example.com"]))).toBe(403);
    expect(statusOf(await send(guarded, "POST", path))).toBe(405);
    expect((await plain.get(path)).status).toBe(404);
  }
});

test("another spelling of a path is another path, and needs the same token", async () => {
  const spellings = [
    "//tool/one",
    "/tool/one/",
    "/TOOL/one",
    "/%74ool/one",
    "/tool%2fone",
    "/tool/one;x",
    "/tool/./one",
    "/x/../tool/one",
  ];
  for (const path of spellings) {
    expect([path, statusOf(await send(plain, "POST", path))]).toEqual([path, 404]);
    expect([path, statusOf(await send(guarded, "POST", path))]).toEqual([path, 401]);
  }
  expect(statusOf(await send(plain, "POST", "http://localhost/tool/one"))).toBe(200);
  expect(statusOf(await send(guarded, "POST", "http://localhost/tool/one"))).toBe(401);
  for (const open of ["/healthz/", "//healthz", "/healthz%20", "/HEALTHZ", `${metadata[0]}/`, `${metadata[0]}/other`])
    expect([open, statusOf(await send(guarded, "GET", open))]).toEqual([open, 401]);
});

test("a challenge names the scopes that its path needs", async () => {
  const of = async (path: string): Promise<string | null> =>
    (await guarded.post(path, {})).headers.get("www-authenticate");
  const at = 'resource_metadata="https://tools.example.org/.well-known/oauth-protected-resource/mcp"';
  expect(await of("/tool/one")).toBe(`Bearer ${at}`);
  expect(await of("/tool/two")).toBe(`Bearer scope="two", ${at}`);
  expect(await of("/mcp")).toBe(`Bearer ${at}`);
});

test("header and body of an MCP message agree", async () => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "one",
      arguments: {},
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "one",
  };
  expect((await plain.post("/mcp", body, headers)).status).toBe(200);
  for (const wrong of [
    { "mcp-name": "two" },
    { "mcp-method": "tools/list" },
    { "mcp-protocol-version": "2025-11-25" },
  ]) {
    const response = await plain.post("/mcp", body, { ...headers, ...wrong });
    expect([wrong, response.status, await response.json()]).toMatchObject([wrong, 400, { error: { code: -32020 } }]);
  }
});

test("whoever sends too much is told when to come again, on every route but health", async () => {
  for (let turn = 0; turn < routes.length + 5; turn++) expect((await limited.get("/nothing")).status).toBe(404);
  for (const [method, path, door, status] of routes) {
    const answer = await send(limited, method, path);
    expect([method, path, statusOf(answer)]).toEqual([method, path, door === "all" ? status : 429]);
    expect(/retry-after: \d+/i.test(answer)).toBe(door !== "all");
  }
});
