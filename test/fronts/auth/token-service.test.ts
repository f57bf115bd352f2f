import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { callMcp } from "../../../cli/call/call-mcp.ts";
import { callRest } from "../../../cli/call/call-rest.ts";
import { registerMcp } from "../../../runtime/start/register-mcp.ts";
import { clearRegistry, defineTool } from "../../../runtime/service/tools/registry.ts";
import { Service } from "../../../runtime/service/service.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { json, serve } from "../../support/serve.ts";
import { audience, createTokenIssuer, type TokenIssuer } from "../../support/token-issuer.ts";
import { modernBody, modernHeaders } from "../mcp/raw-http.ts";

let network: Server;
let tokens: TokenIssuer;
let issuer: string;
beforeAll(async () => {
  network = createServer((request, response) => {
    tokens.fetchJson(`${issuer}${request.url}`).then(
      (document) => response.end(JSON.stringify(document)),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  tokens = await createTokenIssuer(issuer);
});
afterAll(() => void network.close());

const header = async (claims: object = {}): Promise<{ authorization: string }> => ({
  authorization: `Bearer ${await tokens.token({ ...claims })}`,
});

describe("registerMcp", () => {
  const open = fakeTool(() => "open", { name: "open", request: null, resultKind: "text" });
  const closed = fakeTool(() => "closed", {
    name: "closed",
    request: null,
    resultKind: "text",
    definition: { scopes: ["more"] },
  });
  let app: Hono;
  let registered: ReturnType<typeof registerMcp>;
  beforeAll(() => {
    clearRegistry();
    for (const { definition, functions } of [open, closed]) defineTool(definition, functions);
    app = new Hono();
    registered = registerMcp(app, new Service({ name: "Test", version: "1" }), "/agents", {
      auth: { issuer, audience },
    });
  });
  afterAll(async () => {
    await registered.stop();
    clearRegistry();
  });

  const send = (method: string, name: string | undefined, headers: Record<string, string>): Promise<Response> =>
    Promise.resolve(
      app.request("http://localhost/agents", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...modernHeaders(method, name),
          ...headers,
        },
        body: modernBody(method, name === undefined ? {} : { name, arguments: {} }),
      }),
    );

  // Only plain calls are checked by the plain engine; these go to the full one.
  test.each([
    ["of the newest revision, with a member that nobody knows", modernHeaders("tools/call", "closed"), { more: 1 }],
    ["of an older revision", { "mcp-protocol-version": "2025-11-25" }, { more: 1 }],
    ["of a revision with batches", { "mcp-protocol-version": "2025-03-26" }, undefined],
  ])("a token without the scope gets no result by a call %s", async (_, headers, more) => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "closed", arguments: {}, ...more } };
    const ask = async (scope: string): Promise<[number, string]> => {
      const answer = await app.request("http://localhost/agents", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
          ...(await header({ scope })),
        },
        body: JSON.stringify(more === undefined ? [call] : call),
      });
      return [answer.status, await answer.text()];
    };
    const [status, text] = await ask("other");
    expect([status, text]).toEqual([403, expect.not.stringContaining('"text":"closed"')]);
    const [, granted] = await ask("more");
    expect(granted).toMatch(more === undefined || headers["mcp-protocol-version"] === "2025-11-25" ? /closed/ : /./);
  });

  test("checks tokens and scopes, and says where tokens come from", async () => {
    const nobody = await send("tools/list", undefined, {});
    expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer resource_metadata="https://tools.example.org/.well-known/oauth-protected-resource/mcp"',
    ]);
    const refused = await send("tools/call", "closed", await header());
    expect([refused.status, refused.headers.get("www-authenticate")]).toMatchObject([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
    expect(await json(refused)).toMatchObject({ jsonrpc: "2.0", error: { code: -32000 } });
    expect(await (await send("tools/call", "closed", await header({ scope: "more" }))).text()).toContain('"closed"');
    const listed = await (await send("tools/list", undefined, await header())).text();
    expect(listed).toContain('"open"');
    expect(listed).not.toContain('"closed"');
    expect(listed).toContain('"cacheScope":"private"');
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/agents"])
      expect(await json(await app.request(path))).toMatchObject({
        authorization_servers: [issuer],
        scopes_supported: ["more"],
      });
    expect(
      (
        await app.request("/.well-known/oauth-protected-resource", {
          headers: { host: "x", origin: "http://evil.example" },
        })
      ).status,
    ).toBe(403);
  });
});

test("on the platform the gateway's token is checked, too, and is the job's", async () => {
  const seen: unknown[] = [];
  const tool = fakeTool((_: object, job) => seen.push(job.jobAuthorization) > 0);
  const server = await serve([tool], { auth: { issuer, audience } }, { PLATFORM_BASE_URL: "http://127.0.0.1:9" });
  try {
    const good = await header({ sub: "gateway" });
    expect((await server.post("/tool", {}, { authorization: "Bearer of-somebody" })).status).toBe(401);
    expect((await server.post("/tool", {}, good)).status).toBe(200);
    expect(seen).toEqual([good.authorization]);
  } finally {
    await server.stop();
  }
});

test("no authorisation server: 503 with Retry-After, and the routes without tokens go on", async () => {
  const auth = { issuer: "http://127.0.0.1:9", audience };
  const server = await serve([fakeTool(() => 1)], { auth }, {}, ["--test-without-sidecar", "--with-mcp"]);
  try {
    const forms = {
      "/tool": { type: "urn:platform:problem:unavailable" },
      "/mcp": { jsonrpc: "2.0", id: null, error: { code: -32000 } },
    };
    for (const [path, form] of Object.entries(forms)) {
      const response = await server.post(path, {}, await header());
      expect([path, response.status, response.headers.get("retry-after")]).toEqual([path, 503, "5"]);
      expect(await json(response)).toMatchObject(form);
    }
    expect((await server.get("/healthz")).status).toBe(200);
    expect((await server.post("/tool", {})).status).toBe(401);
  } finally {
    await server.stop();
  }
});

test("a task belongs to whoever made the call", async () => {
  const slow = fakeTool((_: object, job) => new Promise((resolve) => job.signal.addEventListener("abort", resolve)), {
    name: "slow",
    options: { maxWaitTime: 0.02 },
  });
  const server = await serve([slow], { auth: { issuer, audience } }, {}, ["--test-without-sidecar", "--with-mcp"]);
  const [ann, bob] = [await header({ sub: "ann" }), await header({ sub: "bob" })];
  const _meta = {
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  const ask = async (who: object, method: string, params: object, name: string): Promise<Message> => {
    const accept = { accept: "application/json, text/event-stream" };
    const headers = { ...accept, ...modernHeaders(method, name), ...who };
    const text = await (await server.post("/mcp", modernBody(method, { ...params, _meta }), headers)).text();
    return JSON.parse(text.replace(/^[^]*data: (?=\{)/, "")) as Message;
  };
  try {
    const { result } = await ask(ann, "tools/call", { name: "slow", arguments: {} }, "slow");
    const taskId = String(result?.taskId);
    expect(taskId).toContain("urn:platform:job:");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      expect(await ask(bob, method, { taskId, inputResponses: {} }, taskId)).toMatchObject({ error: { code: -32602 } });
    expect((await ask(ann, "tasks/get", { taskId }, taskId)).result).toMatchObject({ status: "working" });
    expect((await server.get(`/jobs/${taskId}`, bob)).status).toBe(404);
    expect((await ask(ann, "tasks/cancel", { taskId }, taskId)).error).toBe(undefined);
    expect((await server.get(`/jobs/${taskId}`, ann)).status).toBe(409);
  } finally {
    await server.stop();
  }
});

test("a tool's scopes hold for its jobs, their events, tasks and results, and for what documents show", async () => {
  const text = "the secret";
  const closed = fakeTool(() => ({ text }), {
    name: "closed",
    path: "/tool/closed",
    definition: { scopes: ["more"] },
    options: { maxWaitTime: 0 },
  });
  const open = fakeTool(() => ({ text: "open" }), { name: "open", path: "/tool/open" });
  const flags = ["--test-without-sidecar", "--with-mcp"];
  const env = { TENON_JOB_TOOLS: "true" };
  const server = await serve([closed, open], { auth: { issuer, audience } }, env, flags);
  const [may, mayNot] = [await header({ scope: "more" }), await header()];
  const id = "of-closed";
  const mcp = async (who: object, method: string, params: object, name: string): Promise<string> => {
    const _meta = {
      "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
    };
    const accept = { accept: "application/json, text/event-stream" };
    const headers = { ...accept, ...modernHeaders(method, name), ...who };
    return (await server.post("/mcp", modernBody(method, { ...params, _meta }), headers)).text();
  };
  try {
    expect((await server.post("/tool/closed", {}, { ...may, "job-id": id, prefer: "wait=1" })).status).toBe(200);
    for (const path of [`/jobs/${id}`, `/jobs/${id}/events`, `/tool/closed/jobs/${id}`]) {
      const refused = await server.get(path, mayNot);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.headers.get("www-authenticate")).toContain('scope="more"');
      expect((await server.get(path, may)).status).toBe(200);
    }
    const cancel = await fetch(`${server.url}/jobs/${id}`, { method: "DELETE", headers: mayNot });
    expect(cancel.status).toBe(403);
    const taskId = `urn:platform:job:${id}`;
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      expect(await mcp(mayNot, method, { taskId, inputResponses: {} }, taskId)).toContain("the scope more");
    expect(await mcp(may, "tasks/get", { taskId }, taskId)).toContain(text);
    for (const name of ["job_status", "job_result", "job_cancel"])
      expect(await mcp(mayNot, "tools/call", { name, arguments: { jobId: id } }, name)).toContain("the scope more");
    expect(await mcp(may, "tools/call", { name: "job_result", arguments: { jobId: id } }, "job_result")).toContain(
      text,
    );
    const pathsFor = async (who: { authorization: string }): Promise<readonly string[]> =>
      Object.keys(((await json(await server.get("/openapi.json", who))) as { paths: object }).paths);
    expect(await pathsFor(may)).toContain("/tool/closed");
    expect(await pathsFor(mayNot)).not.toContain("/tool/closed");
    expect(await pathsFor(mayNot)).toContain("/tool/open");
  } finally {
    await server.stop();
  }
});

interface Message {
  readonly result?: { readonly taskId?: unknown };
  readonly error?: object;
}

test("tenon call sends the token of TENON_TOKEN, over REST and over MCP", async () => {
  const tool = fakeTool(({ text }: { text?: string }) => ({ text: text ?? "" }));
  const server = await serve([tool], { auth: { issuer, audience } }, {}, ["--test-without-sidecar", "--with-mcp"]);
  const call = {
    rest: () => callRest(server.url, "echo", { text: "a" }, () => {}),
    mcp: () => callMcp(`${server.url}/mcp`, "echo", { text: "a" }, () => {}),
  };
  try {
    vi.stubEnv("TENON_TOKEN", "");
    await expect(call.rest()).rejects.toThrow("set TENON_TOKEN to one");
    await expect(call.mcp()).rejects.toThrow("set TENON_TOKEN to one");
    vi.stubEnv("TENON_TOKEN", await tokens.token());
    expect(JSON.parse((await call.rest()).text)).toEqual({ text: "a" });
    expect(JSON.parse((await call.mcp()).text)).toEqual({ text: "a" });
  } finally {
    vi.unstubAllEnvs();
    await server.stop();
  }
});

test("the OpenAPI document says what each operation needs", async () => {
  const tools = [
    fakeTool(() => 1, { name: "a", path: "/a" }),
    fakeTool(() => 1, { name: "b", path: "/b", definition: { scopes: ["b"] } }),
  ];
  const server = await serve(tools, { auth: { issuer, audience, scopes: ["use"] } });
  try {
    const document = await json(await server.get("/openapi.json", await header({ scope: "use b" })));
    expect(document.security).toEqual([{ AccessToken: ["use"] }]);
    expect(document.components.securitySchemes.AccessToken).toMatchObject({ type: "http", scheme: "bearer" });
    expect([document.paths["/a"].post.security, document.paths["/b"].post.security]).toEqual([
      undefined,
      [{ AccessToken: ["use", "b"] }],
    ]);
    expect(document.paths["/b"].post.responses).toHaveProperty("401");
    expect(document.paths["/healthz"].get.security).toEqual([]);
  } finally {
    await server.stop();
  }
});
