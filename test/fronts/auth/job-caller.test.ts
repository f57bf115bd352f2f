import { afterAll, beforeAll, expect, test } from "vitest";
import { createExecutor } from "../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../runtime/executor/store/memory/memory.ts";
import type { JobCaller, JobUrn } from "../../../runtime/job/job.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";
import { audience, serveTokenIssuer } from "../../support/token-issuer.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "../mcp/raw-http.ts";

const tool = fakeTool((_: object, job) => ({ caller: job.caller ?? null, same: job.caller === seen(job.caller) }), {
  name: "who",
  path: "/tool/who",
});
let last: JobCaller | undefined;
function seen(caller: JobCaller | undefined): JobCaller | undefined {
  last = caller;
  return caller;
}

let issuer: Awaited<ReturnType<typeof serveTokenIssuer>>;
let guarded: TestServer;
let open: TestServer;
let authorization: string;
const flags = ["--test-without-sidecar", "--with-mcp"];
beforeAll(async () => {
  issuer = await serveTokenIssuer();
  const auth = { issuer: issuer.url, audience };
  [guarded, open] = await Promise.all([serve([tool], { auth }, {}, flags), serve([tool], {}, {}, flags)]);
  const claims = { scope: "notes:read notes:write", client_id: "app", tenant: { id: 7 } };
  authorization = `Bearer ${await issuer.tokens.token(claims)}`;
});
afterAll(async () => {
  await Promise.all([guarded.stop(), open.stop()]);
  issuer.stop();
});

const ann = () => ({
  subject: "ann",
  client: "app",
  scopes: ["notes:read", "notes:write"],
  claims: { iss: issuer.url, sub: "ann", aud: audience, tenant: { id: 7 } },
});

test("over REST, and nobody where nobody is asked", async () => {
  expect(await json(await guarded.post("/tool/who", {}, { authorization }))).toMatchObject({ caller: ann() });
  expect(await json(await open.post("/tool/who", {}, { authorization }))).toMatchObject({ caller: null });
});

test("over MCP, for clients of both eras", async () => {
  const call = async (body: string, headers: Record<string, string>): Promise<unknown> => {
    const [message] = messagesOf(
      await sendRaw(`${guarded.url}/mcp`, body, { ...headers, Authorization: authorization }),
    );
    return message;
  };
  const caller = { result: { structuredContent: { caller: ann() } } };
  const params = { name: "who", arguments: {} };
  expect(await call(modernBody("tools/call", params), modernHeaders("tools/call", "who"))).toMatchObject(caller);
  expect(await call(legacyBody("tools/call", params), {})).toMatchObject(caller);
  // The full engine answers what is rare.
  const rare = modernBody("tools/call", { ...params, _meta: { progressToken: 1, "example.org/rare": [{}] } });
  expect(await call(rare, { ...modernHeaders("tools/call", "who"), Accept: "*/*" })).toMatchObject(caller);
});

test("a token's jobs share one caller, which none of them can change", async () => {
  await guarded.post("/tool/who", {}, { authorization });
  expect(() => Object.assign(last?.claims["tenant"] as object, { id: 8 })).toThrow(TypeError);
  expect(Object.isFrozen(last?.scopes)).toBe(true);
  expect(last).toMatchObject(ann());
});

test("a client that calls for itself is a subject only where its token says so", async () => {
  const token = await issuer.tokens.token({ sub: undefined, client_id: "robot" });
  const { caller } = await json(await guarded.post("/tool/who", {}, { authorization: `Bearer ${token}` }));
  expect(caller).toMatchObject({ client: "robot", scopes: [] });
  expect(caller).not.toHaveProperty("subject");
});

test("a job that is run again after a crash has the same caller", async () => {
  const store = createMemoryStore();
  const id: JobUrn = "urn:platform:job:left";
  await store.submit({ id, tool: "who", input: {}, owner: "ann", caller: ann(), ttl: 60, maxAttempts: 3 });
  const executor = createExecutor({ tools: [tool], store });
  await executor.resume();
  const job = await executor.find(id, "ann");
  expect(await job?.done).toMatchObject({ state: "succeeded" });
  expect(last).toEqual(ann());
  await executor.drain(0);
});
