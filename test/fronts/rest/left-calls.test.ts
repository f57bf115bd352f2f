import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { serve, type TestServer } from "../../support/serve.ts";
import { modernBody, modernHeaders } from "../mcp/raw-http.ts";

let server: TestServer;
let begun: PromiseWithResolvers<void>;
let ended: PromiseWithResolvers<string>;

/** A tool with one place, whose job waits until it is cancelled or the test lets it go. */
const wait = (_: object, job: JobContext): Promise<string> => {
  const own = ended;
  job.signal.addEventListener("abort", () => own.resolve("cancelled"));
  begun.resolve();
  return own.promise;
};
beforeAll(async () => {
  const options = { executorOpts: { maxWorkers: 1 } };
  const tools = [
    fakeTool(wait, { name: "plain", path: "/plain", options, resultKind: "text" }),
    fakeTool(wait, { name: "kept", path: "/kept", options, resultKind: "text", definition: { keep: true } }),
  ];
  server = await serve(tools, {}, {}, ["--test-without-sidecar", "--with-mcp"]);
});
afterAll(() => server.stop());
beforeEach(() => {
  begun = deferred();
  ended = deferred<string>();
});

/** Calls, and leaves as soon as the job runs. */
async function callAndLeave(path: string, headers: Record<string, string> = {}, body = "{}"): Promise<void> {
  const leaving = new AbortController();
  const call = fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    signal: leaving.signal,
  });
  await begun.promise;
  leaving.abort();
  await expect(call).rejects.toThrow("abort");
}

test("a call whose client has left is cancelled, and its place is free", async () => {
  await callAndLeave("/plain");
  expect(await ended.promise).toBe("cancelled");
  begun = deferred();
  ended = deferred<string>();
  const next = server.post("/plain", {});
  await begun.promise;
  ended.resolve("next");
  expect(await (await next).text()).toBe("next");
});

test.each([
  ["with a key", "/plain", { "idempotency-key": "left-with-key" }],
  ["of a tool with @keep", "/kept", {}],
])("a call %s goes on", async (_, path, headers) => {
  await callAndLeave(path, headers as Record<string, string>);
  // An answered request behind it shows that the server has seen the end of the connection.
  for (let round = 0; round < 3; round++) await server.get("/healthz");
  ended.resolve("went on");
  expect(await ended.promise).toBe("went on");
});

// The MCP SDK alone reads an encoded name.
test.each([
  ["", "kept"],
  [", through the MCP SDK,", `=?base64?${Buffer.from("kept").toString("base64")}?=`],
])("a call over MCP%s of a tool with @keep goes on", async (_, name) => {
  const body = modernBody("tools/call", { name: "kept", arguments: {} });
  await callAndLeave("/mcp", modernHeaders("tools/call", name), body);
  for (let round = 0; round < 3; round++) await server.get("/healthz");
  ended.resolve("went on");
  expect(await ended.promise).toBe("went on");
});

test("a call with an id goes on, and its caller can come back for the result", async () => {
  await callAndLeave("/plain", { "job-id": "left-with-id" });
  for (let round = 0; round < 3; round++) await server.get("/healthz");
  ended.resolve("went on");
  const answer = await server.get("/jobs/left-with-id", { prefer: "wait=5" });
  expect(await answer.text()).toBe("went on");
});

test("a call that was answered 202 goes on when its connection ends", async () => {
  const answer = await server.post("/plain", {}, { prefer: "wait=0", connection: "close" });
  const location = String(answer.headers.get("location"));
  expect(answer.status).toBe(202);
  await begun.promise;
  for (let round = 0; round < 3; round++) await server.get("/healthz");
  ended.resolve("later");
  expect(await (await server.get(location, { prefer: "wait=5" })).text()).toBe("later");
});
