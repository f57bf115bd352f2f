import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { registerMcp, type RegisteredMcp } from "../../../runtime/start/register-mcp.ts";
import { createFetchHandler } from "../../../runtime/start/create-fetch-handler.ts";
import { clearRegistry, defineTool } from "../../../runtime/service/tools/registry.ts";
import { Service } from "../../../runtime/service/service.ts";
import { flushLogs, loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { clientKinds, connect } from "./clients.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./raw-http.ts";
import { createTools, createWitness, type ToolWitness } from "./tools.ts";

const withTasks = {
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

let server: ReturnType<typeof serve>;
let registered: RegisteredMcp;
let witness: ToolWitness;
let url: string;

beforeEach(async () => {
  witness = createWitness();
  for (const tool of createTools(witness)) defineTool(tool.definition, tool.functions);
  const app = new Hono();
  app.get("/own", (context) => context.text("mine"));
  registered = registerMcp(app, new Service({ name: "Test tools", version: "1.2.3" }), "/agents");
  server = await new Promise((resolve) => {
    const listening = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false }, () =>
      resolve(listening),
    );
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents`;
});

afterEach(async () => {
  await registered.stop();
  if ("closeAllConnections" in server) server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  clearRegistry();
});

describe.each(clientKinds)("client %s in the author's app", (kind) => {
  test("calls a tool", async () => {
    const client = await connect(kind, { url });
    const answer = await client.callTool("isPrime", { number: 7 });
    expect(answer.structuredContent).toEqual({ number: 7, isPrime: true });
    await client.close();
  });

  test("cancels what it started when it goes away", async () => {
    const client = await connect(kind, { url });
    const call = client.callTool("wait").catch((error: unknown) => error);
    await witness.started.promise;
    await client.close();
    await call;
    await expect.poll(() => witness.aborted).toHaveLength(1);
  });
});

test.each([
  ["a foreign Host", { Host: "evil.example.com" }, 403, -32000],
  ["a foreign Origin", { Origin: "http://evil.example.com" }, 403, -32000],
  ["another media type", { "Content-Type": "text/plain" }, 415, -32000],
] as const)("%s is refused before the body is read", async (_, headers, status, code) => {
  const answer = await sendRaw(url, "{".repeat(10_000), headers);
  expect(answer.status).toBe(status);
  expect(messagesOf(answer)).toMatchObject([{ id: null, error: { code } }]);
});

describe("pages of listed origins", () => {
  const listed = "https://app.example.com";
  let own: Hono;
  let registeredHere: RegisteredMcp;
  beforeEach(() => {
    vi.stubEnv("TENON_ALLOWED_ORIGINS", listed);
    own = new Hono();
    registeredHere = registerMcp(own, new Service({ name: "Test tools", version: "1.2.3" }), "/agents");
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await registeredHere.stop();
  });
  const send = async (method: string, origin: string, headers: Record<string, string> = {}): Promise<Response> =>
    own.request("http://127.0.0.1/agents", {
      method,
      headers: {
        Host: "127.0.0.1",
        Origin: origin,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
      ...(method === "POST" && { body: legacyBody("ping") }),
    });

  test("may ask first, and read the answer", async () => {
    const preflight = await send("OPTIONS", listed, {
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type, mcp-protocol-version",
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, listed]);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
    const answer = await send("POST", listed);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, listed]);
    expect(answer.headers.get("vary")).toContain("Origin");
  });

  test("and no others", async () => {
    const preflight = await send("OPTIONS", "https://evil.example.com", { "Access-Control-Request-Method": "POST" });
    expect(preflight.status).toBe(403);
    const answer = await send("POST", "https://evil.example.com");
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});

test("a body over the limit is refused, with a length and without one", async () => {
  const long = "x".repeat(1024 * 1024 + 1);
  expect((await sendRaw(url, long)).status).toBe(413);
  expect((await sendRaw(url, long, { "Transfer-Encoding": "chunked" })).status).toBe(413);
});

test("the app's own routes stay", async () => {
  expect((await sendRaw(url.replace("/agents", "/own"), undefined, {}, "GET")).body).toBe("mine");
  expect(messagesOf(await sendRaw(url, legacyBody("ping")))).toMatchObject([{ result: {} }]);
});

test("an answer is JSON, and a stream where something comes before it", async () => {
  const steps = { name: "steps", arguments: { steps: 1 } };
  const headers = modernHeaders("tools/call", "steps");
  const plain = await sendRaw(url, modernBody("tools/call", steps), headers);
  expect([plain.status, plain.headers["content-type"]]).toEqual([200, "application/json"]);
  const stream = await sendRaw(url, modernBody("tools/call", { ...steps, _meta: { progressToken: "p" } }), headers);
  expect(stream.headers["content-type"]).toBe("text/event-stream");
  expect(messagesOf(stream)).toMatchObject([
    { method: "notifications/progress", params: { progressToken: "p", progress: 1, message: "Step 1 begins" } },
    { method: "notifications/progress", params: { progressToken: "p", progress: 2, message: "step 1" } },
    { id: 1, result: { resultType: "complete", structuredContent: { steps: 1 } } },
  ]);
});

test("what is no request of a session is taken or refused", async () => {
  expect((await sendRaw(url, '{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
  const answer = await sendRaw(url, undefined, {}, "GET");
  expect([answer.status, answer.headers["allow"]]).toEqual([405, "POST"]);
});

test("tools with @thread: a warning says that they run on the app's own thread", async () => {
  const lines: string[] = [];
  loggingInit({ level: "WARNING", write: (line) => lines.push(line) });
  const { definition, functions } = fakeTool(() => 1, { name: "heavy" });
  defineTool({ ...definition, thread: true }, functions);
  await registerMcp(new Hono(), new Service({ name: "Threads", version: "1" }), "/other").stop();
  await flushLogs();
  expect(lines.filter((line) => line.includes("heavy: @thread has no effect with registerMcp")).length).toBe(1);
});

test("instances share the configured store, and hear that they need a common key for questions", async () => {
  const lines: string[] = [];
  loggingInit({ level: "WARNING", write: (line) => lines.push(line) });
  const server = await startPostgres();
  vi.stubEnv("TENON_STORE", server.url("registered"));
  const { definition, functions } = fakeTool(() => sleep(100, "done"), { name: "later", resultKind: "text" });
  defineTool({ ...definition, mcp: { ...definition.mcp, task: "optional" } }, functions);
  const service = new Service({ name: "Replicas", version: "1" });
  const app = new Hono();
  const one = registerMcp(app, service);
  const other = createFetchHandler(service);
  const send = async (to: (request: Request) => Response | Promise<Response>, method: string, params: object) => {
    const { name, taskId } = params as { readonly name?: string; readonly taskId?: string };
    const answer = await to(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: {
          Host: "127.0.0.1",
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...modernHeaders(method, name ?? taskId),
        },
        body: modernBody(method, { ...params, _meta: withTasks }),
      }),
    );
    return ((await answer.json()) as { readonly result: { readonly taskId: string } }).result;
  };
  try {
    const { taskId } = await send(app.fetch, "tools/call", { name: "later", arguments: {} });
    await expect
      .poll(() => send(other, "tasks/get", { taskId }))
      .toMatchObject({ status: "completed", result: { content: [{ text: "done" }] } });
    await flushLogs();
    expect(lines.filter((line) => line.includes("TENON_STATE_KEY is not set")).length).toBe(2);
  } finally {
    await Promise.all([one.stop(), other.stop()]);
    await server.stop();
    vi.unstubAllEnvs();
  }
});
