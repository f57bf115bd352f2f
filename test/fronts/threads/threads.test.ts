import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleFixture, type BundledFixture } from "../../support/bundle-fixture.ts";
import { fakeSidecar } from "../../support/fake-sidecar.ts";
import { logsOf, metricsOf, spansOf } from "../../support/otlp-decode.ts";
import { startOtlpSink } from "../../support/otlp-sink.ts";
import { json } from "../../support/serve.ts";
import { audience, serveTokenIssuer } from "../../support/token-issuer.ts";
import { startRecorder } from "../../outbound/harness/recorder.ts";

let fixture: BundledFixture;
let service: Service;

interface Service {
  readonly url: string;
  readonly said: () => string;
  stop(): Promise<number | null>;
}

beforeAll(async () => {
  fixture = await bundleFixture("threads", ["service", "batch", "moved"]);
  service = await start({ NODE_OPTIONS: "--max-old-space-size=160" });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  fixture[Symbol.dispose]();
});

async function start(env: Record<string, string>): Promise<Service> {
  const child = spawn(
    process.execPath,
    [fixture.entry("service"), "--port", "0", "--host", "127.0.0.1", "--with-mcp"],
    {
      cwd: fixture.root,
      env: { PLATFORM_SHUTDOWN_GRACE: "1", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = once(child, "exit") as Promise<[number | null]>;
  let said = "";
  const url = await new Promise<string>((found) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      said += `${line}\n`;
      const at = /listens on (http:\S+)$/.exec(line)?.[1];
      if (at !== undefined) found(at);
    });
  });
  return {
    url,
    said: () => said,
    async stop() {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
  };
}

function post(
  tool: string,
  body: unknown = {},
  headers: Record<string, string> = {},
  url: string = service.url,
): Promise<Response> {
  return fetch(`${url}/tool/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "wait=60", ...headers },
    body: JSON.stringify(body),
  });
}

/** Starts a job that will not end by itself, and waits until it has reported its first step. */
async function startJob(tool: string, body: unknown = {}, url: string = service.url): Promise<string> {
  const { headers } = await post(tool, body, { prefer: "respond-async" }, url);
  const job = `${url}${headers.get("location")}`;
  const events = await fetch(`${job}/events`);
  for await (const chunk of events.body ?? []) if (Buffer.from(chunk).includes("step.start")) break;
  return job;
}

async function cancel(job: string): Promise<Response> {
  expect((await fetch(job, { method: "DELETE" })).status).toBe(202);
  return fetch(job, { headers: { prefer: "wait=60" } });
}

test("a job runs in a thread, with its context", async () => {
  const id = "urn:platform:job:0192a4b1-0000-7000-8000-000000000001";
  const answer = await post("where", {}, { "job-id": id });
  const { isMainThread, threadId, jobId, same, token } = JSON.parse(await answer.text());
  expect([isMainThread, threadId > 0, jobId, same, token]).toEqual([false, true, id, true, null]);
});

test("on the platform the job's token and its events cross the thread", async () => {
  const sidecar = await fakeSidecar();
  const platform = await start({ PLATFORM_BASE_URL: sidecar.url });
  const answer = await post("where", {}, { authorization: "Bearer of this job" }, platform.url);
  expect(JSON.parse(await answer.text()).token).toBe("Bearer of this job");
  await post("busy", { ms: 60 }, { authorization: "Bearer two", "job-id": "two" }, platform.url);
  expect(await platform.stop()).toBe(0);
  const events = sidecar.taken("event");
  expect(events.map(({ body }) => (body as { sequence: number }).sequence)).toEqual(
    events.map((_, index) => index + 1),
  );
  expect(new Set(events.map(({ headers, id }) => `${id} ${headers.authorization}`))).toEqual(
    new Set(["urn:platform:job:two Bearer two"]),
  );
  await sidecar.close();
});

test("values that cannot be sent between threads, validation, bytes and refusals are as in the main thread", async () => {
  expect(await (await post("tomorrow", { day: "2026-11-20T00:00:00.000Z" })).json()).toBe("2026-11-21T00:00:00.000Z");
  const invalid = await post("tomorrow", { day: "never" });
  expect([invalid.status, (await json(invalid)).errors.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ["/day"],
  ]);
  const octets = await post("bytes");
  expect([octets.headers.get("content-type"), ...new Uint8Array(await octets.arrayBuffer())]).toEqual([
    "application/octet-stream",
    1,
    2,
    3,
  ]);
  const refused = await post("refuse");
  expect([refused.status, (await json(refused)).detail]).toEqual([400, "not today"]);
});

test("loops without an end in every thread are cancelled, and the next jobs run soon", async () => {
  const jobs = await Promise.all(
    Array.from({ length: availableParallelism() }, () => startJob("spin", { look: false })),
  );
  // They never end by themselves, so that no thread would be left for the next one.
  expect((await Promise.all(jobs.map(cancel))).map(({ status }) => status)).toEqual(jobs.map(() => 409));
  expect((await post("where")).status).toBe(200);
});

test("a loop that looks at its signal ends by itself, and its thread stays", async () => {
  const thread = async (): Promise<number> => JSON.parse(await (await post("where")).text()).threadId;
  const before = await thread();
  const job = await startJob("spin", { look: true });
  expect((await cancel(job)).status).toBe(409);
  await expect.poll(thread).toBe(before);
});

test("code that waits hears the abort and may put its things away", async () => {
  const job = await startJob("wait");
  expect((await cancel(job)).status).toBe(409);
  expect((await post("where")).status).toBe(200);
});

test("@timeout ends a loop", async () => {
  const answer = await post("limited");
  expect([answer.status, (await json(answer)).type]).toEqual([504, "urn:platform:problem:timeout"]);
});

test("events of a busy thread are live, and the main thread goes on", async () => {
  const file = join(fixture.root, "there");
  const { headers } = await post("untilThere", { file }, { prefer: "respond-async" });
  const events = await fetch(`${service.url}${headers.get("location")}/events`);
  let [chunks, steps] = [0, 0];
  for await (const chunk of events.body ?? []) {
    chunks++;
    steps +=
      Buffer.from(chunk)
        .toString()
        .match(/step\.start/g)?.length ?? 0;
    // Not only once the job has ended: it ends when this test has seen enough.
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    if (steps > 10 && chunks > 3) writeFileSync(file, "");
  }
  expect(steps).toBeGreaterThan(10);
});

test.each([
  ["leave", "process.exit(7)"],
  ["deep", "Maximum call stack size exceeded"],
  ["stray", "stray"],
  ["fill", "memory"],
])("%s costs its own job only", async (tool, reason) => {
  const other = post("busy", { ms: 100 });
  const answer = await post(tool);
  expect([answer.status, (await json(answer)).type]).toEqual([500, "urn:platform:problem:system"]);
  expect((await other).status).toBe(200);
  expect((await post("where")).status).toBe(200);
  await expect.poll(service.said).toContain(reason);
});

test("many jobs at once all end", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => post(n % 4 === 0 ? "refuse" : "where")));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? 400 : 200)));
});

test("SIGTERM: a loop in a thread does not hold the process", async () => {
  const own = await start({ PLATFORM_SHUTDOWN_GRACE: "0.1" });
  const answer = post("spin", { look: false }, { "job-id": "spinning", prefer: "wait=600" }, own.url);
  await expect.poll(async () => (await fetch(`${own.url}/jobs/spinning`)).status).toBe(202);
  expect(await own.stop()).toBe(0);
  expect((await answer).status).toBe(503);
});

test("what a thread prints does not get between the messages of MCP over stdio", async () => {
  const child = spawn(process.execPath, [fixture.entry("service"), "--with-mcp-stdio"], { cwd: fixture.root, env: {} });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "print", arguments: {} } };
  child.stdin.write(`${JSON.stringify(call)}\n`);
  let out = "";
  let noise = "";
  // The two streams do not wait for one another, and what a thread printed is lost with the process.
  const endWhenTold = (): void => void (out.includes("\n") && noise.includes("more noise") && child.stdin.end());
  child.stderr.on("data", (chunk) => {
    noise += chunk;
    endWhenTold();
  });
  child.stdout.on("data", (chunk) => {
    out += chunk;
    endWhenTold();
  });
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, JSON.parse(out).result.content]).toEqual([0, [{ type: "text", text: "printed" }]]);
  expect([noise.includes("noise on standard output"), noise.includes("more noise")]).toEqual([true, true]);
});

test("--test-file runs the tool in a thread and prints its result only", async () => {
  const file = join(fixture.root, "request.json");
  writeFileSync(file, "{}");
  const child = spawn(process.execPath, [fixture.entry("service"), "--test-file", file, "--tool", "print"], {
    env: {},
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, out]).toEqual([0, '"printed"\n']);
});

test("batch: the platform's cancellation reaches a loop in a thread", async () => {
  const sidecar = await fakeSidecar({ leases: 0.6 });
  sidecar.answer("lease", () => ({ status: 200, body: { cancel: "no longer needed" } }));
  sidecar.add({ id: "urn:platform:job:spin", content: { look: false } });
  sidecar.finish();
  const child = spawn(process.execPath, [fixture.entry("batch")], {
    cwd: fixture.root,
    env: { PLATFORM_BASE_URL: sidecar.url },
    stdio: "ignore",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  // A busy machine may ask again before the answer has come.
  expect(sidecar.taken("lease").length).toBeGreaterThan(0);
  expect([code, sidecar.taken("result").length]).toEqual([0, 0]);
  await sidecar.close();
});

test("batch: a job that is given again goes on in its thread under the new token and lease", async () => {
  const sidecar = await fakeSidecar({ leases: 15 });
  const id = "urn:platform:job:moved";
  sidecar.add({ id, token: "Bearer first" });
  const child = spawn(process.execPath, [fixture.entry("moved"), "--concurrency", "2"], {
    cwd: fixture.root,
    env: { PLATFORM_BASE_URL: sidecar.url },
    stdio: "ignore",
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  await sidecar.until(() => sidecar.taken("event").length > 0);
  sidecar.add({ id, token: "Bearer second" });
  await sidecar.until(() => sidecar.taken("result").length > 0);
  sidecar.finish();
  expect((await ended)[0]).toBe(0);
  const results = sidecar.taken("result");
  expect(results.map(({ headers, bytes }) => [headers.authorization, headers["job-lease"], String(bytes)])).toEqual([
    ["Bearer second", "lease-2", "Bearer first, then Bearer second"],
  ]);
  await sidecar.close();
});

test("telemetry: steps, calls and log records of a thread are in the trace of its job", async () => {
  const [sink, target] = [await startOtlpSink(), await startRecorder()];
  const telling = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, PLATFORM_BASE_URL: "http://127.0.0.1:9" });
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const answer = await fetch(`${telling.url}/tool/traced`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      traceparent,
      baggage: "tenant=blue",
      authorization: "Bearer CANARY-thread",
    },
    body: JSON.stringify({ url: `http://127.0.0.1:${target.port}/` }),
  });
  expect(await answer.text()).toBe("traced");
  expect(await telling.stop()).toBe(0);
  await Promise.all([sink.close(), target.stop()]);
  const spans = sink.of("traces").flatMap(({ body }) => spansOf(body));
  const named = Object.fromEntries(spans.map((span) => [span.name.replace("platform.event:", ""), span]));
  expect(Object.keys(named).toSorted()).toEqual(["GET", "author", "broken", "inner", "outer", "platform.job"]);
  const { outer, inner, broken, GET: client, "platform.job": job } = named;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(["a".repeat(32)]));
  expect(named["author"]).toMatchObject({ parentSpanId: outer?.spanId, attributes: { password: "[redacted]" } });
  expect([job?.parentSpanId, outer?.parentSpanId]).toEqual(["b".repeat(16), job?.spanId]);
  expect([inner?.parentSpanId, broken?.parentSpanId]).toEqual([outer?.spanId, outer?.spanId]);
  expect(client).toMatchObject({
    parentSpanId: inner?.spanId,
    kind: "SPAN_KIND_CLIENT",
    attributes: { "http.response.status_code": "200", "url.full": `http://127.0.0.1:${target.port}/` },
  });
  expect(outer?.attributes).toMatchObject({ "platform.event.rows": "3", "platform.job_id": expect.anything() });
  expect(broken).toMatchObject({ status: "STATUS_CODE_ERROR" });
  expect(broken?.events[0]?.attributes).toMatchObject({
    "exception.type": "TypeError",
    "exception.message": "trouble with [redacted]",
  });
  const [call] = target.take();
  expect(call?.headers).toMatchObject({
    traceparent: `00-${"a".repeat(32)}-${client?.spanId}-01`,
    "platform-job-id": job?.attributes["platform.job_id"],
    baggage: "tenant=blue",
  });
  const measured = metricsOf(sink.of("metrics").at(-1)?.body ?? Buffer.alloc(0));
  expect(measured["rows"]?.map(({ asInt, asDouble, attributes }) => [Number(asInt ?? asDouble), attributes])).toEqual([
    [1500, { table: "orders" }],
  ]);
  expect(measured["size"]).toMatchObject([{ sum: 7, explicitBounds: [10] }]);
  expect(telling.said()).toMatch(/the observable instrument .*observed.* of a worker thread is not exported/);
  const records = sink.of("logs").flatMap(({ body }) => logsOf(body));
  expect(records.filter(({ logger }) => logger === "author")).toMatchObject([
    { body: "in a thread", traceId: "a".repeat(32), spanId: outer?.spanId, attributes: { tool: "traced" } },
  ]);
  expect(telling.said().match(/in a thread/g)).toHaveLength(1);
  expect(sink.requests.map(({ body }) => body.toString("latin1")).join() + telling.said()).not.toContain("CANARY");
});

test("telemetry: the step that a killed thread was in is sent with its job", async () => {
  const sink = await startOtlpSink();
  const telling = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.url });
  expect((await cancel(await startJob("spin", { look: false }, telling.url))).status).toBe(409);
  expect(await telling.stop()).toBe(0);
  await sink.close();
  const spans = sink.of("traces").flatMap(({ body }) => spansOf(body));
  const named = Object.fromEntries(spans.map((span) => [span.name, span]));
  expect(Object.keys(named).toSorted()).toEqual(["platform.event:spinning", "platform.job"]);
  const { "platform.event:spinning": step, "platform.job": job } = named;
  expect(step).toMatchObject({ parentSpanId: job?.spanId, traceId: job?.traceId });
  expect(job?.status).toBe("STATUS_CODE_ERROR");
});

test("a thread knows who calls", async () => {
  const issuer = await serveTokenIssuer();
  const guarded = await start({ TENON_AUTH_ISSUER: issuer.url, TENON_AUTH_AUDIENCE: audience });
  const call = async (url: string, headers: Record<string, string>): Promise<unknown> =>
    JSON.parse(await (await fetch(`${url}/tool/whoCalls`, { method: "POST", headers })).text());
  const authorization = `Bearer ${await issuer.tokens.token({ scope: "a b", client_id: "app" })}`;
  expect(await call(guarded.url, { authorization })).toMatchObject({
    subject: "ann",
    client: "app",
    scopes: ["a", "b"],
    claims: { iss: issuer.url, aud: audience, sub: "ann" },
  });
  expect(await call(service.url, {})).toBeNull();
  await guarded.stop();
  issuer.stop();
});
