import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http2";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { launchEntry, type EndedProcess, type LaunchedService } from "../support/launch.ts";
import { logsOf, resourceOf, spansOf } from "../support/otlp-decode.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";

const entry = join(inject("bundledServices"), "telemetry.js");
const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

let sink: OtlpSink;
beforeEach(async () => {
  sink = await startOtlpSink();
});
afterEach(() => sink.close());

function start(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<LaunchedService> {
  return launchEntry(entry, args, { TENON_ALLOWED_HOSTS: "localhost", ...env }).listening;
}

/** Runs a job with steps, and ends the service. */
async function run(env: Readonly<Record<string, string>>): Promise<EndedProcess> {
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, ...env });
  expect((await service.post({ mode: "steps", text: "it" }, { traceparent })).status).toBe(200);
  const ended = await service.stop();
  expect(ended.code).toBe(0);
  return ended;
}

it("OTEL_TRACES_SAMPLER decides for traces, and leaves metrics and logs alone", async () => {
  await run({ OTEL_TRACES_SAMPLER: "always_off" });
  expect([sink.of("traces").length, sink.of("metrics").length > 0]).toEqual([0, true]);
});

it("a value that cannot be meant is told in one line, and the default holds", async () => {
  const { stderr } = await run({
    OTEL_TRACES_SAMPLER: "jaeger_remote",
    OTEL_PROPAGATORS: "jaeger",
    OTEL_LOG_LEVEL: "none",
  });
  expect(stderr).toContain(
    String.raw`OTEL_TRACES_SAMPLER: \"jaeger_remote\" is ignored; known are always_on, always_off, traceidratio, `,
  );
  expect(stderr).toContain(
    String.raw`OTEL_PROPAGATORS: \"jaeger\" is ignored; known are tracecontext, baggage, b3, b3multi and none.`,
  );
  expect(sink.of("traces")).toHaveLength(1);
});

it("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT bounds what a span has", async () => {
  await run({ OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "1" });
  const counts = sink
    .of("traces")
    .flatMap(({ body }) => spansOf(body).map((span) => Object.keys(span.attributes).length));
  expect(new Set(counts)).toEqual(new Set([1]));
});

it("OTEL_TRACES_SAMPLER_ARG: the share that is kept; one that is not a share is told, and all are kept", async () => {
  await run({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" });
  expect(sink.of("traces")).toHaveLength(0);
  const { stderr } = await run({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" });
  expect(stderr).toContain(String.raw`OTEL_TRACES_SAMPLER_ARG: \"2\" is ignored; it must be a number from 0 to 1.`);
  expect(sink.of("traces")).toHaveLength(1);
});

it("lengths and numbers of attributes and events, each with its own variable", async () => {
  const service = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: "6",
    OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT: "3",
    OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: "2",
    OTEL_SPAN_EVENT_COUNT_LIMIT: "0",
    OTEL_METRICS_EXPORTER: "none",
  });
  await service.post({ mode: "author" });
  await service.post({ mode: "log", text: "abcdefgh" });
  await service.stop();
  const spans = sink.of("traces").flatMap(({ body }) => spansOf(body));
  expect(spans.find(({ name }) => name === "platform.event:step")?.attributes["platform.job_id"]).toBe("urn:pl");
  expect(spans.find(({ name }) => name === "work")?.events).toEqual([]);
  const logged = sink.of("logs").flatMap(({ body }) => logsOf(body));
  const { attributes } = logged.find(({ logger }) => logger === "author") ?? {};
  expect(Object.values(attributes as object)).toHaveLength(2);
  expect(Object.values(attributes as object).filter((value) => String(value).length > 3)).toEqual([]);
  expect(sink.of("metrics")).toEqual([]);
});

it("OTEL_BSP_…: a collector that hangs costs the spans that its queue cannot hold, which is told; no call fails", async () => {
  let hangs = true;
  const waiting: (() => void)[] = [];
  const slow = await startOtlpSink((response) => {
    const answer = (): void => void response.writeHead(200).end();
    if (hangs) waiting.push(answer);
    else answer();
  });
  const service = await start({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${slow.url}/v1/traces`,
    OTEL_BSP_MAX_QUEUE_SIZE: "20",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10",
    OTEL_BSP_SCHEDULE_DELAY: "1",
    OTEL_EXPORTER_OTLP_TIMEOUT: "600000",
  });
  for (let count = 0; count < 200; count += 1) expect((await service.post({})).status).toBe(200);
  hangs = false;
  for (const answer of waiting) answer();
  const { code, stderr } = await service.stop();
  await slow.close();
  const sent = slow.of("traces").map(({ body }) => spansOf(body).length);
  const arrived = sent.reduce((sum, count) => sum + count, 0);
  expect([code, Math.max(...sent) <= 10, arrived > 0, arrived < 200]).toEqual([0, true, true, true]);
  const told = stderr.split("\n").filter((line) => line.includes("telemetry:"));
  // The second one, at the end, has what was lost after the first.
  expect(told.length).toBeLessThanOrEqual(2);
  const lost = told.map((line) => Number(/telemetry: (\d+) spans /.exec(line)?.[1]));
  expect(lost.reduce((sum, count) => sum + count, 0) + arrived).toBe(200);
});

it("certificates: of the collector's authority and of the client; a collector that nobody vouches for gets nothing", async ({
  skip,
}) => {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=tenon";
  const made = spawnSync("openssl", [
    ...words.split(" "),
    "-addext",
    "subjectAltName=IP:127.0.0.1",
    "-keyout",
    key,
    "-out",
    cert,
  ]);
  skip(made.error !== undefined, "openssl is not installed");
  const own = { key: readFileSync(key), cert: readFileSync(cert) };
  const clients: string[] = [];
  const collector = createSecureServer({ ...own, ca: own.cert, requestCert: true }, (request, response) => {
    clients.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve));
  const endpoint = `https://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const only = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" };
  const refused = await run(only);
  expect(refused.stderr).toContain("telemetry: 4 spans did not arrive");
  expect(clients).toEqual([]);
  await run({
    ...only,
    OTEL_EXPORTER_OTLP_CERTIFICATE: cert,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: key,
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: cert,
  });
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
  expect(clients).toEqual(["tenon"]);
});

it("http/json", async () => {
  await run({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
  const [request] = sink.of("traces");
  expect(request?.headers["content-type"]).toBe("application/json");
  const { resourceSpans } = JSON.parse(String(request?.body)) as { resourceSpans: unknown[] };
  expect(resourceSpans).toHaveLength(1);
});

it("grpc, by the optional exporters, with the headers of the plan", async () => {
  const calls: { path: unknown; team: unknown; bytes: Buffer }[] = [];
  const collector = createServer();
  collector.on("stream", (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      calls.push({ path: headers[":path"], team: headers["x-team"], bytes: Buffer.concat(chunks) });
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      // An empty message: no compression, no bytes.
      stream.end(Buffer.alloc(5));
    });
  });
  await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve));
  await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=blue%20one",
  });
  await new Promise((resolve) => collector.close(resolve));
  const service = "/opentelemetry.proto.collector";
  const traces = calls.find(({ path }) => path === `${service}.trace.v1.TraceService/Export`);
  expect(traces?.team).toBe("blue one");
  expect(spansOf(traces?.bytes.subarray(5) ?? Buffer.alloc(0))).toHaveLength(4);
  expect(calls.map(({ path }) => path)).toContain(`${service}.metrics.v1.MetricsService/Export`);
});

it("detectors add what they are asked for, and never the command line", async () => {
  await run({ OTEL_NODE_RESOURCE_DETECTORS: "process,os,cloud" });
  const names = Object.keys(resourceOf("traces", sink.of("traces")[0]?.body ?? Buffer.alloc(0)));
  expect(names).toEqual(expect.arrayContaining(["process.pid", "process.runtime.version", "os.type"]));
  expect(names.filter((name) => /command|owner|executable\.path|^host/.test(name))).toEqual([]);
});

it("console: spans are printed, and nothing is sent", async () => {
  const { stdout, stderr } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_TRACES_EXPORTER: "console" });
  expect(stdout + stderr).toContain("platform.event:inner");
  expect(sink.requests).toEqual([]);
});

it.each<Record<string, string>>([
  { OTEL_METRICS_EXPORTER: "prometheus" },
  { TENON_METRICS: "true" },
  { TENON_METRICS: "1", OTEL_METRICS_EXPORTER: "none" },
])("%j: /metrics on the service's own port, and only then", async (asked) => {
  const service = await start(asked);
  await service.post({ mode: "author" });
  const answer = await fetch(`${service.url}/metrics`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const text = await answer.text();
  expect(text).toMatch(/^platform_jobs_total\{.*ok="true".*\} 1$/m);
  expect(text).toMatch(/^platform_job_duration_seconds_bucket\{.*le="\+Inf".*\} 1$/m);
  expect(text).toMatch(/^author_calls_total\{.*\} 1$/m);
  expect((await fetch(`${service.url}/metrics`, { method: "POST" })).status).toBe(405);
  expect((await service.stop()).code).toBe(0);
  const without = await start({});
  expect((await fetch(`${without.url}/metrics`)).status).toBe(404);
  await without.stop();
});
