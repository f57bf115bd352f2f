import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { serve, type TestServer } from "../../support/serve.ts";
import { audience, serveTokenIssuer } from "../../support/token-issuer.ts";

const schema = { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] };
const ask = fakeTool(
  async (_: unknown, job: JobContext) => {
    const reply = await job.request("elicitation/create", { message: "Well?", requestedSchema: schema as never });
    return { text: JSON.stringify(reply) };
  },
  { name: "ask" },
);
const flags = ["--test-without-sidecar", "--with-mcp"];

let server: TestServer;
beforeAll(async () => {
  server = await serve([fakeTool((request) => request), ask], {}, { TENON_MCP_STREAM_TIME: "0.05" }, flags);
});
afterAll(() => server.stop());

const head = { accept: "application/json, text/event-stream" };

/** Sends a message of an older client. */
function send(message: object, headers: Record<string, string> = {}, to: TestServer = server): Promise<Response> {
  return to.post("/mcp", { jsonrpc: "2.0", ...message }, { ...head, ...headers });
}

function initialize(capabilities: object, headers: Record<string, string> = {}, to = server): Promise<Response> {
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "test", version: "1" } };
  return send({ id: 1, method: "initialize", params }, headers, to);
}

async function begin(headers: Record<string, string> = {}, to = server): Promise<string> {
  const response = await initialize({ elicitation: {} }, headers, to);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

const list = { id: 2, method: "tools/list" };

test("a client that can be asked is asked, in the middle of its call", async () => {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: "legacy" } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => ({
    action: "accept",
    content: { answer: `to ${params.message}` },
  }));
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`));
  onTestFinished(() => client.close());
  await client.connect(transport);
  expect(transport.sessionId).toMatch(/^[0-9a-f]{32}$/);
  const { content } = await client.callTool({ name: "ask", arguments: {} });
  expect(JSON.stringify(content)).toContain("to Well?");
  const { sessionId = "" } = transport;
  await transport.terminateSession();
  expect((await send(list, { "mcp-session-id": sessionId })).status).toBe(404);
});

test("a client that cannot be asked has no session, and neither has one of the newest revision", async () => {
  for (const [capabilities, headers] of [
    [{}, {}],
    [{ elicitation: {} }, { "mcp-protocol-version": "2026-07-28" }],
  ] as const)
    expect((await initialize(capabilities, headers)).headers.has("mcp-session-id")).toBe(false);
  expect((await send(list, { "mcp-protocol-version": "2025-11-25" })).status).toBe(200);
});

test("an id that was never given, and one that has ended: 404, so that the client begins anew", async () => {
  const id = await begin();
  expect((await send(list, { "mcp-session-id": id })).status).toBe(200);
  const remove = (): Promise<Response> =>
    fetch(`${server.url}/mcp`, { method: "DELETE", headers: { "mcp-session-id": id } });
  expect((await remove()).status).toBe(200);
  expect((await remove()).status).toBe(404);
  for (const gone of [id, "0".repeat(32)]) {
    const response = await send(list, { "mcp-session-id": gone });
    expect([response.status, await response.json()]).toMatchObject([404, { error: { message: /initialize again/ } }]);
  }
});

test("an id of another form, as a gateway may add it, means nothing", async () => {
  for (const id of ["__proto__", "made-up", "0".repeat(33)])
    expect((await send(list, { "mcp-session-id": id })).status).toBe(200);
});

test("a stream for messages of the server is open within a session only, once", async () => {
  const get = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.url}/mcp`, { headers: { accept: "text/event-stream", ...headers }, signal: gone.signal });
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  expect((await get({})).status).toBe(405);
  const id = await begin();
  expect((await get({ "mcp-session-id": id })).status).toBe(200);
  expect((await get({ "mcp-session-id": id })).status).toBe(409);
});

test("the stream of a long call is closed, and the answer comes on another one", async () => {
  const id = await begin();
  const session = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
  const params = { name: "ask", arguments: {} };
  const text = await (await send({ id: 3, method: "tools/call", params }, session)).text();
  expect(text).toContain("elicitation/create");
  expect(text).not.toContain('"id":3');
  const [, asked] = /"id":(\d+)[^\n]*elicitation|elicitation[^\n]*"id":(\d+)/.exec(text) ?? [];
  const question = Number(asked ?? /"method":"elicitation\/create"[^\n]*"id":(\d+)/.exec(text)?.[1]);
  const last = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";
  const result = { action: "accept", content: { answer: "late" } };
  expect((await send({ id: question, result }, session)).status).toBe(202);
  const resumed = await fetch(`${server.url}/mcp`, {
    headers: { accept: "text/event-stream", ...session, "last-event-id": last },
  });
  const reader = resumed.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes('"id":3')) seen += (await reader?.read())?.value ?? "";
  expect(seen).toContain("late");
  await reader?.cancel();
});

test("an id of another caller is as good as none", async () => {
  const issuer = await serveTokenIssuer();
  const guarded = await serve([ask], { auth: { issuer: issuer.url, audience } }, {}, flags);
  onTestFinished(async () => {
    await guarded.stop();
    issuer.stop();
  });
  const as = async (subject: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await issuer.tokens.token({ sub: subject })}`,
  });
  const id = await begin(await as("ada"), guarded);
  const session = { "mcp-session-id": id };
  expect((await send(list, { ...session, ...(await as("ada")) }, guarded)).status).toBe(200);
  expect((await send(list, { ...session, ...(await as("eve")) }, guarded)).status).toBe(404);
  expect((await send(list, session, guarded)).status).toBe(401);
});

test("what a session says and hears of a call needs the scopes that its calls came with", async () => {
  const issuer = await serveTokenIssuer();
  const closed = { ...ask, name: "closed", path: "/tool/closed", definition: { ...ask.definition, scopes: ["more"] } };
  const env = { TENON_MCP_STREAM_TIME: "0.05" };
  const guarded = await serve([ask, closed], { auth: { issuer: issuer.url, audience } }, env, flags);
  onTestFinished(async () => {
    await guarded.stop();
    issuer.stop();
  });
  const having = async (scope: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await issuer.tokens.token({ scope })}`,
  });
  const [may, mayNot] = [await having("more other"), await having("other")];
  const session = { "mcp-session-id": await begin(mayNot, guarded), "mcp-protocol-version": "2025-11-25" };
  const get = (who: Record<string, string>, last: string): Promise<Response> =>
    fetch(`${guarded.url}/mcp`, {
      headers: { accept: "text/event-stream", ...session, ...who, "last-event-id": last },
    });
  const call = async (name: string, id: number, who: Record<string, string>): Promise<readonly [string, number]> => {
    const params = { name, arguments: {} };
    const text = await (await send({ id, method: "tools/call", params }, { ...session, ...who }, guarded)).text();
    const question = Number(/"method":"elicitation\/create"[^\n]*"id":(\d+)/.exec(text)?.[1]);
    return [[...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "", question];
  };
  // Before anything was called with the scope, the session is for any token of the user.
  const [open] = await call("ask", 3, mayNot);
  const resumed = await get(mayNot, open);
  expect(resumed.status).toBe(200);
  await resumed.body?.cancel();
  const [last, question] = await call("closed", 4, may);
  const answer = { id: question, result: { action: "accept", content: { answer: "by somebody" } } };
  const cancelled = { method: "notifications/cancelled", params: { requestId: 4 } };
  const refused = [
    await get(mayNot, last),
    await send(answer, { ...session, ...mayNot }, guarded),
    await send(cancelled, { ...session, ...mayNot }, guarded),
    await fetch(`${guarded.url}/mcp`, { method: "DELETE", headers: { ...session, ...mayNot } }),
  ];
  for (const response of refused) {
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain('scope="more"');
  }
  // Another call of its own is as good as ever.
  expect((await send(list, { ...session, ...mayNot }, guarded)).status).toBe(200);
  expect((await send(answer, { ...session, ...may }, guarded)).status).toBe(202);
  const reader = (await get(may, last)).body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes('"id":4')) seen += (await reader?.read())?.value ?? "";
  expect(seen).toContain("by somebody");
  await reader?.cancel();
});
