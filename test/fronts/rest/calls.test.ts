import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ValueError } from "../../../runtime/base/errors.ts";
import { BinaryResult } from "../../../runtime/job/binary-result.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { flushLogs, loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { tenonVersion } from "../../../runtime/base/version.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";

const gates = new Map<string, PromiseWithResolvers<void>>();
let aborted: string[] = [];
let calls = 0;

function gate(name: string): PromiseWithResolvers<void> {
  const known = gates.get(name) ?? deferred();
  gates.set(name, known);
  return known;
}

const request = {
  type: "object",
  properties: { text: { type: "string" }, count: { type: "integer", minimum: 0 } },
  required: ["text"],
};
const tools = [
  fakeTool(({ text }: { text: string }) => ({ $schema: "urn:x", text }), { name: "echo", path: "/echo", request }),
  fakeTool(({ text }: { text: string }) => text, { name: "text", path: "/text", resultKind: "text" }),
  fakeTool(() => Buffer.from([0, 255]), { name: "bytes", path: "/bytes", resultKind: "bytes" }),
  fakeTool(() => new BinaryResult("image/svg+xml", "<svg/>"), { name: "svg", path: "/svg", resultKind: "binary" }),
  fakeTool(
    () =>
      new BinaryResult(
        "text/csv",
        (async function* () {
          yield Buffer.from("a,");
          yield Buffer.from("b");
        })(),
      ),
    { name: "stream", path: "/stream", resultKind: "binary" },
  ),
  fakeTool(() => undefined, { name: "nothing", path: "/nothing", resultKind: "none", request: null }),
  fakeTool(() => 0, { name: "zero", path: "/zero" }),
  fakeTool(
    () => {
      throw new ValueError("That is no prime.");
    },
    { name: "refuse", path: "/refuse" },
  ),
  fakeTool(
    () => {
      throw new TypeError("secret in /etc/passwd");
    },
    { name: "crash", path: "/crash" },
  ),
  fakeTool(() => Number.NaN, { name: "nan", path: "/nan" }),
  fakeTool(() => new Promise(() => {}), { name: "never", path: "/never", definition: { timeout: 20 } }),
  fakeTool(
    async ({ text }: { text: string }, job: JobContext) => {
      calls++;
      job.signal.addEventListener("abort", () => aborted.push(text));
      job.report.stepStarted("wait", { message: "a\n\nevent: x\ndata: {}" });
      await gate(text).promise;
      return { text };
    },
    { name: "slow", path: "/slow", options: { maxWaitTime: 0.05, refreshInterval: 2 } },
  ),
];

let server: TestServer;
let logged: string[] = [];
beforeAll(async () => {
  loggingInit({ level: "ERROR", write: (line) => logged.push(line) });
  server = await serve(tools);
});
afterAll(() => server.stop());

test("a result in time: 200, the result, job-id and version", async () => {
  const response = await server.post("/echo", { text: "hé" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("job-id")).toMatch(/^urn:platform:job:[0-9a-f-]{36}$/);
  expect(response.headers.get("platform-tool-version")).toBe(tenonVersion);
  expect(await response.text()).toBe('{"$schema":"urn:x","text":"hé"}');
});

const results: readonly [path: string, type: string, body: Uint8Array][] = [
  ["/text", "text/plain; charset=utf-8", Buffer.from("ünï")],
  ["/bytes", "application/octet-stream", Buffer.from([0, 255])],
  ["/svg", "image/svg+xml", Buffer.from("<svg/>")],
  ["/stream", "text/csv", Buffer.from("a,b")],
  ["/nothing", "application/json", Buffer.from("null")],
  ["/zero", "application/json", Buffer.from("0")],
];
for (const [path, type, body] of results) {
  test(`result of ${path}: ${type}, at once and again by its id`, async () => {
    const id = `again${path.replace("/", "-")}`;
    const first = await server.post(path, { text: "ünï" }, { "job-id": id });
    const second = await server.get(`/jobs/${id}`);
    const third = await server.get(`${path}/jobs/${encodeURIComponent(`urn:platform:job:${id}`)}`);
    for (const response of [first, second, third]) {
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("job-id")).toBe(`urn:platform:job:${id}`);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
    }
  });
}

test("a tool without a request needs no body", async () => {
  const response = await fetch(`${server.url}/nothing`, { method: "POST" });
  expect([response.status, await response.text()]).toEqual([200, "null"]);
});

const failures: readonly [path: string, status: number, body: Record<string, unknown>][] = [
  [
    "/refuse",
    400,
    {
      type: "urn:platform:problem:user-input",
      title: "The tool refused its input",
      status: 400,
      detail: "That is no prime.",
    },
  ],
  [
    "/nan",
    500,
    {
      type: "urn:platform:problem:invalid-result",
      title: "The result does not match its type",
      status: 500,
      detail: "The tool gave a result that does not match its type. The service's log has the reason.",
    },
  ],
  [
    "/never",
    504,
    {
      type: "urn:platform:problem:timeout",
      title: "The tool took too long",
      status: 504,
      detail: "The tool did not finish within 20 ms.",
    },
  ],
];
for (const [path, status, body] of failures) {
  test(`${path} answers ${status}, at once and again by its id`, async () => {
    const id = `failed${path.replace("/", "-")}`;
    const urn = `urn:platform:job:${id}`;
    for (const response of [await server.post(path, {}, { "job-id": id }), await server.get(`/jobs/${urn}`)]) {
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(response.headers.get("job-id")).toBe(urn);
      expect(await json(response)).toEqual({ $schema: "urn:platform:schema.error.1", ...body, "job-id": urn });
    }
  });
}

test("a system error: a fixed text and the job's id, the rest in the log", async () => {
  // The first records wait for the library of the log: those of an earlier test must not come now.
  await flushLogs();
  logged = [];
  const response = await server.post("/crash", {});
  const id = response.headers.get("job-id");
  expect(response.status).toBe(500);
  expect(await json(response)).toEqual({
    $schema: "urn:platform:schema.error.1",
    type: "urn:platform:problem:system",
    title: "The tool failed",
    status: 500,
    detail: `The tool failed. The service's log has the reason. Job: ${id}`,
    "job-id": id,
  });
  await flushLogs();
  expect(logged.length).toBe(1);
  expect(JSON.parse(logged[0] ?? "")).toMatchObject({
    job_id: id,
    error: { type: "TypeError", message: "secret in /etc/passwd" },
  });
});

test("a request that does not match: 422 with every problem", async () => {
  const response = await server.post("/echo", { text: 1, count: -1 });
  expect(response.status).toBe(422);
  const body = await json(response);
  expect(body).toMatchObject({
    type: "urn:platform:problem:validation",
    detail: "The request does not match its schema.",
  });
  expect(body.errors.map((problem: { path: string }) => problem.path)).toEqual(["/text", "/count"]);
  expect(Object.keys(body.errors[0])).toEqual(["path", "expected", "value", "message"]);
});

test("not in time: 202 with where and when to ask again; then the result, any number of times", async () => {
  const deferredAnswer = await server.post("/slow", { text: "one" });
  const id = deferredAnswer.headers.get("job-id") ?? "";
  const location = `/jobs/${id.replace("urn:platform:job:", "")}`;
  expect(deferredAnswer.status).toBe(202);
  const pending = { "job-id": id, status: "executing", location, "retry-later": 2 };
  expect(await json(deferredAnswer)).toEqual(pending);
  for (const response of [deferredAnswer, await server.get(location)]) {
    expect(
      Object.fromEntries(
        ["location", "retry-after", "retry-later", "platform-self-report-result"].map((name) => [
          name,
          response.headers.get(name),
        ]),
      ),
    ).toEqual({
      location,
      "retry-after": "2",
      "retry-later": "2",
      "platform-self-report-result": "true",
    });
  }
  const longPoll = server.get(location, { prefer: "wait=10" });
  gate("one").resolve();
  expect((await longPoll).status).toBe(200);
  for (const path of [location, location, `/slow${location}`, `/jobs/${id}`]) {
    const response = await server.get(path);
    expect([response.status, await response.text()]).toEqual([200, '{"text":"one"}']);
  }
  expect((await server.get(`/echo${location}`)).status).toBe(404);
});

test("Prefer and Timeout say how long to wait", async () => {
  const headers: readonly [Record<string, string>, number][] = [
    [{ prefer: "respond-async" }, 202],
    [{ prefer: "respond-async, wait=10" }, 202],
    [{ prefer: "wait=0" }, 202],
    [{ timeout: "0" }, 202],
    [{ prefer: "handling=lenient", timeout: "0" }, 202],
  ];
  for (const [given, status] of headers) {
    expect((await server.post("/slow", { text: "headers" }, given)).status).toBe(status);
  }
  const waiting = ["wait=10", "foo=bar, wait=10"].map((prefer) =>
    server.post("/slow", { text: "headers" }, { prefer, timeout: "0" }),
  );
  const longer = server.post("/slow", { text: "headers" }, { timeout: "10" });
  gate("headers").resolve();
  for (const response of await Promise.all([...waiting, longer])) expect(response.status).toBe(200);
});

// RFC 7240 section 2: a preference that is not understood is treated as if it were not there.
test("a wait that makes no sense is no wait, and parts of a second are a time", async () => {
  for (const prefer of ["wait=soon", "wait=-1", "wait=", "wait", "wait=1e9", "=", "wait=soon, handling=lenient"])
    expect([prefer, (await server.post("/echo", { text: "" }, { prefer })).status]).toEqual([prefer, 200]);
  for (const headers of [{ timeout: "1.5" }, { timeout: "0.05" }, { prefer: "wait=1.5" }])
    expect((await server.post("/echo", { text: "" }, headers as Record<string, string>)).status).toBe(200);
});

test("bad header values: 400 that names the header", async () => {
  const bad: readonly [Record<string, string>, string][] = [
    [{ timeout: "-1" }, 'Timeout must be a number of seconds, not "-1".'],
    [{ timeout: "soon" }, 'Timeout must be a number of seconds, not "soon".'],
    [
      { "job-id": "../../x" },
      "job-id must be urn:platform:job:<id> or the id alone: up to 128 letters, digits and -._~",
    ],
    [
      { "job-id": "urn:mcp:1" },
      "job-id must be urn:platform:job:<id> or the id alone: up to 128 letters, digits and -._~",
    ],
    [{ "idempotency-key": "k".repeat(256) }, "Idempotency-Key must be 1 to 255 visible ASCII characters."],
  ];
  for (const [headers, detail] of bad) {
    const response = await server.post("/echo", { text: "" }, headers);
    expect([response.status, (await json(response)).detail]).toEqual([400, detail]);
  }
});

test("a repeated job-id attaches; the same key and body give the same job, another body 422", async () => {
  const before = calls;
  const ask = (text: string, headers: Record<string, string>): Promise<Response> =>
    server.post("/slow", { text }, { prefer: "respond-async", ...headers });
  const first = await ask("same", { "job-id": "mine" });
  const again = await ask("same", { "job-id": "urn:platform:job:mine" });
  expect([first.headers.get("job-id"), again.headers.get("job-id")]).toEqual([
    "urn:platform:job:mine",
    "urn:platform:job:mine",
  ]);
  const keyed = [await ask("same", { "idempotency-key": "k 1" }), await ask("same", { "idempotency-key": "k 1" })];
  expect(keyed[0]?.headers.get("job-id")).toBe(keyed[1]?.headers.get("job-id"));
  const other = await ask("other", { "idempotency-key": "k 1" });
  expect([other.status, (await json(other)).type]).toEqual([422, "urn:platform:problem:idempotency-conflict"]);
  expect(calls - before).toBe(2);
  gate("same").resolve();
});

test("DELETE cancels: 202, the signal aborts, then 409", async () => {
  aborted = [];
  const { headers } = await server.post("/slow", { text: "cancel" });
  const path = headers.get("location") ?? "";
  const cancelled = await fetch(server.url + path, { method: "DELETE" });
  expect(cancelled.status).toBe(202);
  expect(await cancelled.json()).toEqual({ "job-id": headers.get("job-id"), status: "cancelled", location: path });
  expect(aborted).toEqual(["cancel"]);
  const after = await server.get(path);
  expect([after.status, (await json(after)).type]).toEqual([409, "urn:platform:problem:cancelled"]);
});

test("the list says why a job failed, and shows no request where everybody may ask for it", async () => {
  await server.post("/echo", { text: 7 }, { "job-id": "mistaken" });
  const { items } = await json(await server.get("/jobs?id=mistaken"));
  expect(items).toEqual([
    expect.objectContaining({
      status: "failed",
      "error-kind": "validation",
      "error-message": expect.stringMatching(/^The request does not match its schema\. \/text: ./),
    }),
  ]);
  expect(items[0]).not.toHaveProperty("request");
  expect(items[0]).not.toHaveProperty("origin");
});

test("DELETE of a job that has ended changes nothing: 409", async () => {
  const { headers } = await server.post("/echo", { text: "done" }, { "job-id": "ended" });
  expect(headers.get("job-id")).toBe("urn:platform:job:ended");
  const refused = await fetch(`${server.url}/jobs/ended`, { method: "DELETE" });
  expect([refused.status, refused.headers.get("content-type")]).toEqual([409, "application/problem+json"]);
  expect(await refused.json()).toMatchObject({
    type: "urn:platform:problem:gone",
    status: 409,
    detail: "The job has ended already, as succeeded.",
    "job-id": "urn:platform:job:ended",
  });
  expect((await server.get("/jobs/ended")).status).toBe(200);
});

test("unknown jobs, bad ids and foreign paths: 404", async () => {
  for (const path of [
    "/jobs/unknown",
    "/jobs/urn%3Aplatform%3Ajob%3Ax",
    "/jobs/a%2Fb",
    "/jobs/a%20b",
    "/jobs/x/events",
    "/jobs/",
    "/nope",
  ]) {
    const response = await server.get(path);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      404,
      "application/problem+json",
    ]);
  }
  expect((await fetch(`${server.url}/jobs/unknown`, { method: "DELETE" })).status).toBe(404);
});

test("the list of jobs: by tool and state, page by page", async () => {
  const listOf = async (
    query: string,
  ): Promise<{ items: { id: string; tool: string; status: string }[]; links: { rel: string; href: string }[] }> =>
    (await server.get(`/jobs?${query}`)).json() as never;
  for (const name of ["listed-1", "listed-2", "listed-3"])
    await server.post("/echo", { text: name }, { "job-id": name });
  const first = await listOf("limit=2&tool=echo");
  const next = first.links.find(({ rel }) => rel === "next")?.href;
  expect(next).toMatch(/^\/jobs\?tool=echo&limit=2&page=\d+$/);
  const second = await listOf(next?.split("?")[1]?.replace("limit=2", "limit=500") ?? "");
  const ids = [...first.items, ...second.items].map(({ id }) => id.replace("urn:platform:job:", ""));
  expect(ids.slice(0, 3)).toEqual(["listed-3", "listed-2", "listed-1"]);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await listOf("id=listed-2")).items).toMatchObject([{ tool: "echo", status: "succeeded", attempt: 1 }]);
  expect((await listOf("status=pending")).items).toEqual([]);
  expect((await listOf("tool=unknown")).items).toEqual([]);
  expect((await server.get("/jobs?limit=x")).status).toBe(400);
});

test("events: steps, result and status, resumable, and 204 when there is no more", async () => {
  const { headers } = await server.post("/slow", { text: "events" });
  const path = `${headers.get("location")}/events`;
  const streaming = await server.get(path);
  expect(streaming.headers.get("content-type")).toBe("text/event-stream");
  const live = streaming.text();
  gate("events").resolve();
  const lines = (await live).split("\n\n").filter((part) => part.startsWith("id:"));
  const envelopes = lines.map((part) => JSON.parse(part.split("\ndata: ")[1] ?? ""));
  expect(lines.map((part) => part.split("\n").length)).toEqual([2, 2, 2]);
  const urn = headers.get("job-id") ?? "";
  expect(envelopes.map(({ SeqID, type, schema, source, eventID }) => [SeqID, type, schema, source, eventID])).toEqual([
    [
      "00000001",
      "platform.job.event",
      "urn:platform:schema:service.event.step.start.1",
      "Test service",
      `${urn.slice(17)}.1`,
    ],
    ["00000002", "platform.job.result", "urn:platform:schema:job.result.1", "Test service", `${urn.slice(17)}.2`],
    ["00000003", "platform.job.status", "urn:platform:schema:job.status.1", "Test service", `${urn.slice(17)}.3`],
  ]);
  expect(envelopes[0].data).toMatchObject({
    name: "wait",
    options: { message: "a\n\nevent: x\ndata: {}" },
    sequence: 1,
  });
  expect(envelopes[2].data).toEqual({ "job-urn": urn, status: "succeeded" });
  const resumed = await (await server.get(path, { "last-event-id": "00000002" })).text();
  expect(resumed).toContain("id: 00000003\n");
  expect(resumed).not.toContain("id: 00000002\n");
  // Their time is that of the job's end, whenever they are read.
  await setTimeout(20);
  expect(await (await server.get(path, { "last-event-id": "00000002" })).text()).toBe(resumed);
  expect((await server.get(path, { "last-event-id": "3" })).status).toBe(204);
  expect((await server.get(path, { "last-event-id": "x" })).status).toBe(400);
});

test("other methods: 405 with Allow", async () => {
  const cases: readonly [string, string, string][] = [
    ["PUT", "/echo", "GET, HEAD, POST"],
    ["DELETE", "/echo", "GET, HEAD, POST"],
    ["POST", "/healthz", "GET, HEAD"],
    ["POST", "/jobs/x", "DELETE, GET, HEAD"],
    ["POST", "/jobs/x/events", "GET, HEAD"],
    ["PATCH", "/openapi.json", "GET, HEAD"],
    ["OPTIONS", "/echo", "GET, HEAD, POST"],
  ];
  for (const [method, path, allow] of cases) {
    const response = await fetch(server.url + path, { method });
    expect([method, path, response.status, response.headers.get("allow")]).toEqual([method, path, 405, allow]);
    expect((await json(response)).detail).toBe(`Allowed here: ${allow}.`);
  }
});

test("descriptions, documents and health", async () => {
  const description = await json(await server.get("/echo"));
  expect(description).toMatchObject({
    $schema: "urn:platform:schema.tool.1",
    name: "echo",
    "service-id": "#SERVICE_ID#",
    fn_schema: request,
  });
  const list = await json(await server.get("/tool"));
  expect(list.tools.map(({ name }: { name: string }) => name)).toEqual(tools.map(({ name }) => name));
  const api = await json(await server.get("/openapi.json"));
  expect([api.openapi, api.info.version, Object.keys(api.paths).includes("/echo")]).toEqual(["3.1.1", "1.2.3", true]);
  for (const path of ["/healthz", "/_healtz"]) {
    const response = await server.get(path);
    expect([response.status, await json(response)]).toEqual([200, { status: "ok", version: "1.2.3" }]);
    expect(response.headers.get("platform-tool-version")).toBe(tenonVersion);
  }
  expect(await json(await server.get("/readyz"))).toEqual({ status: "ready" });
  const docs = await server.get("/docs");
  expect(docs.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(docs.headers.get("content-security-policy")).not.toContain("unsafe");
  expect(await docs.text()).toContain("/openapi.json");
  const head = await fetch(`${server.url}/echo`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("using Hono leaves the globals alone", async () => {
  await server.get("/healthz");
  expect((await fetch(`${server.url}/healthz`)) instanceof Response).toBe(true);
});
