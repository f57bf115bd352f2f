import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { launchEntry, type LaunchedService } from "../support/launch.ts";
import { logsOf, metricsOf, protocDecode, resourceOf, type DecodedSpan } from "../support/otlp-decode.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";
import { spanId, sunkSpans, traceId, traceparent } from "../support/traced-caller.ts";

const entry = join(inject("bundledServices"), "telemetry.js");
const jobId = "urn:platform:job:";

let sink: OtlpSink;
beforeEach(async () => {
  sink = await startOtlpSink();
});
afterEach(() => sink.close());

function start(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []): Promise<LaunchedService> {
  const all = {
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    PLATFORM_SERVICE_ID: "urn:s",
    TENON_ALLOWED_HOSTS: "localhost",
    ...env,
  };
  return launchEntry(entry, args, all).listening;
}

function spans(): readonly DecodedSpan[] {
  return sunkSpans(sink);
}

describe("what is exported", () => {
  it("spans of jobs and steps, below the caller's", async () => {
    const service = await start();
    const answer = await service.post({ mode: "steps", text: "x" }, { traceparent, tracestate: "v=1", "job-id": "j1" });
    expect(answer.status).toBe(200);
    expect((await service.stop()).code).toBe(0);
    const byName = Object.fromEntries(spans().map((span) => [span.name, span]));
    const common = { "platform.job_id": `${jobId}j1`, "platform.service_id": "urn:s" };
    expect(Object.keys(byName).toSorted()).toEqual([
      "platform.event:inner",
      "platform.event:loose",
      "platform.event:outer",
      "platform.job",
    ]);
    const job = byName["platform.job"];
    expect(job).toMatchObject({
      traceId,
      parentSpanId: spanId,
      traceState: "v=1",
      kind: "SPAN_KIND_SERVER",
      status: "STATUS_CODE_OK",
      attributes: { ...common, "platform.tool": "work", "platform.ok": true },
      events: [],
    });
    const outer = byName["platform.event:outer"];
    expect(outer).toMatchObject({ traceId, parentSpanId: job?.spanId, kind: "SPAN_KIND_INTERNAL" });
    expect(outer?.attributes).toEqual({
      ...common,
      "platform.event_name": "outer",
      "platform.event.message": "Outer",
      "platform.event.rows": "3",
    });
    expect(byName["platform.event:inner"]?.parentSpanId).toBe(outer?.spanId);
    expect(byName["platform.event:loose"]?.parentSpanId).toBe(outer?.spanId);
    for (const span of spans()) expect(span.duration >= 0n).toBe(true);
  });

  it("the HTTP request of a job by the conventions; its status, also of an answer before the end", async () => {
    const service = await start();
    const agent = "agent/1 Bearer CANARY-0123456789abcdef";
    await service.post({ mode: "plain" }, { "user-agent": agent });
    await service.post({ mode: "user" });
    await service.post({ mode: 7 }, { "x-forwarded-proto": "https" });
    const late = await service.post({ mode: "steps" }, { prefer: "respond-async" });
    expect(late.status).toBe(202);
    await service.stop();
    const jobs = spans().filter(({ name }) => name === "platform.job");
    const { port } = new URL(service.url);
    const http = {
      "http.request.method": "POST",
      "http.route": "/tool",
      "url.path": "/tool",
      "network.protocol.version": "1.1",
      "server.address": "127.0.0.1",
      "server.port": port,
    };
    expect(jobs.map(({ attributes }) => attributes)).toMatchObject([
      { ...http, "url.scheme": "http", "http.response.status_code": "200" },
      { ...http, "url.scheme": "http", "http.response.status_code": "400" },
      { ...http, "url.scheme": "https", "http.response.status_code": "422" },
      { ...http, "url.scheme": "http", "http.response.status_code": "202" },
    ]);
    expect(jobs[0]?.attributes["user_agent.original"]).toBe("agent/1 Bearer [redacted]");
  });

  it("a trace of its own without a caller, and no span for a caller who does not sample", async () => {
    const service = await start();
    await service.post({});
    await service.post({}, { traceparent: `00-${traceId}-${spanId}-00` });
    await service.stop();
    expect(spans()).toHaveLength(1);
    expect(spans()[0]).toMatchObject({ parentSpanId: "", traceId: expect.stringMatching(/^(?!0af7)[0-9a-f]{32}$/) });
  });

  it("failures, by kind", async () => {
    const service = await start();
    await service.post({ mode: "user", text: "way" });
    await service.post({ mode: "throw", text: "reason" });
    await service.post({ mode: 7 });
    await service.stop();
    const jobs = spans().filter(({ name }) => name === "platform.job");
    expect(
      jobs.map(({ attributes, status }) => [
        attributes["error.type"],
        attributes["platform.error_type"],
        attributes["platform.ok"],
        status,
      ]),
    ).toEqual([
      ["user-input", "ValueError", false, "STATUS_CODE_ERROR"],
      ["system", "TypeError", false, "STATUS_CODE_ERROR"],
      ["validation", "validation", false, "STATUS_CODE_ERROR"],
    ]);
    expect(jobs.map(({ events }) => events.length)).toEqual([0, 1, 0]);
    expect(jobs[1]?.events[0]).toMatchObject({
      name: "exception",
      attributes: {
        "exception.type": "TypeError",
        "exception.message": "inner reason",
        "exception.stacktrace": expect.stringContaining("telemetry.js"),
      },
    });
    expect(spans().find(({ name }) => name === "platform.event:breaks")).toMatchObject({ status: "STATUS_CODE_ERROR" });
  });

  it("metrics of jobs", async () => {
    const service = await start();
    for (const mode of ["plain", "plain", "user", "throw"]) await service.post({ mode });
    await service.stop();
    const last = sink.of("metrics").at(-1);
    const metrics = metricsOf(last?.body ?? Buffer.alloc(0));
    const total = metrics["platform.jobs_total"]?.map(({ attributes, asDouble, asInt }) => [
      attributes,
      Number(asInt ?? asDouble),
    ]);
    expect(total).toEqual([
      [{ tool: "work", ok: true }, 2],
      [{ tool: "work", ok: false, error_type: "user-input" }, 1],
      [{ tool: "work", ok: false, error_type: "system" }, 1],
    ]);
    expect(metrics["platform.job_duration_seconds"]?.map(({ count }) => Number(count))).toEqual([2, 1, 1]);
  });

  it("log records with the ids of job and trace", async () => {
    const service = await start();
    await service.post({ mode: "log", text: "it" }, { "job-id": "j2" });
    await service.stop();
    const [job] = spans();
    const record = sink
      .of("logs")
      .flatMap(({ body }) => logsOf(body))
      .find(({ logger }) => logger === "author");
    expect(record).toEqual({
      logger: "author",
      severity: "INFO",
      number: "SEVERITY_NUMBER_INFO",
      body: "worked with it",
      attributes: { job_id: `${jobId}j2`, tool: "work", rows: expect.anything(), nested: { apiKey: "[redacted]" } },
      traceId: job?.traceId,
      spanId: job?.spanId,
    });
    const line =
      service
        .stderr()
        .split("\n")
        .find((text) => text.includes("worked with it")) ?? "";
    expect(JSON.parse(line)).toEqual({
      level: "INFO",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      name: "author",
      job_id: `${jobId}j2`,
      tool: "work",
      trace_id: job?.traceId,
      span_id: job?.spanId,
      rows: 3,
      nested: { apiKey: "[redacted]" },
      msg: "worked with it",
    });
  });

  it("the resource: the service, the SDK, what a variable adds, and no more", async () => {
    const service = await start({ OTEL_SERVICE_NAME: "named", OTEL_RESOURCE_ATTRIBUTES: "deployment=blue%20one" });
    await service.post({ mode: "log" });
    await service.stop();
    for (const signal of ["traces", "metrics", "logs"] as const) {
      expect(resourceOf(signal, sink.of(signal)[0]?.body ?? Buffer.alloc(0))).toEqual({
        "service.name": "named",
        "service.version": "1.2.3",
        "platform.service_id": "urn:s",
        "telemetry.sdk.name": "opentelemetry",
        "telemetry.sdk.language": "nodejs",
        "telemetry.sdk.version": expect.stringMatching(/^\d/),
        deployment: "blue one",
      });
    }
  });

  it("decodes with protoc as well, every body", async ({ skip }) => {
    const service = await start();
    for (const mode of ["steps", "throw", "log", "user"]) await service.post({ mode, text: "ü\u0000\ud800" });
    await service.stop();
    expect(new Set(sink.requests.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics", "/v1/logs"]));
    for (const signal of ["traces", "metrics", "logs"] as const) {
      for (const { body, headers } of sink.of(signal)) {
        expect(headers["content-type"]).toBe("application/x-protobuf");
        const text = protocDecode(signal, body);
        if (text === undefined)
          skip("protoc is not installed (scripts/install-test-tools.sh), so only protobufjs has decoded");
        expect(text).toContain("resource_");
      }
    }
  });
});

describe("where it goes", () => {
  it("headers of each signal, and none of the job", async () => {
    const service = await start({
      OTEL_EXPORTER_OTLP_HEADERS: "a=1;b=2",
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: "b=3",
      OBSERVER_USERNAME: "u",
      OBSERVER_TOKEN: "t",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    });
    await service.post({ mode: "log" }, { "job-id": "j" });
    await service.stop();
    const head = (signal: "traces" | "logs"): unknown[] => {
      const { a, b, authorization, ...rest } = sink.of(signal)[0]?.headers ?? {};
      return [a, b, authorization, rest["content-encoding"], rest["platform-job-id"], rest["traceparent"]];
    };
    const basic = `Basic ${Buffer.from("u:t").toString("base64")}`;
    expect(head("traces")).toEqual(["1", "2", basic, "gzip", undefined, undefined]);
    expect(head("logs")).toEqual(["1", "3", basic, "gzip", undefined, undefined]);
  });

  it("the observer's endpoint, stream names, unified path", async () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "",
      OBSERVER_URL: sink.url,
      OBSERVER_ORG: "org",
      OBSERVER_LOGS_STREAM_NAME: "l",
    };
    const service = await start({ ...env, OBSERVER_USE_UNIFIED_OTLP_ENDPOINT: "true" });
    await service.post({ mode: "log" });
    await service.stop();
    expect(new Set(sink.requests.map(({ path }) => path))).toEqual(new Set(["/api/org/v1/otlp"]));
    expect(new Set(sink.requests.map(({ headers }) => headers["stream-name"]))).toEqual(new Set(["default", "l"]));
  });

  it("nowhere when it is forced off; nothing at all then", async () => {
    const service = await start({ OBSERVER_ENABLED: "false" });
    await service.post({ mode: "log" });
    const { code } = await service.stop();
    expect([code, sink.requests]).toEqual([0, []]);
  });

  it("no header that the plan left out", async () => {
    const service = await start({ OTEL_EXPORTER_OTLP_HEADERS: "a=1,bad=x%0d%0ay" });
    await service.post({});
    const { stderr } = await service.stop();
    expect(sink.of("traces")).toHaveLength(1);
    expect(sink.requests[0]?.headers).not.toHaveProperty("bad");
    expect(stderr).toContain(
      "OTEL_EXPORTER_OTLP_HEADERS: part 2 is ignored, since its value holds characters that a header cannot have.",
    );
  });
});

it.each([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "", OBSERVER_ENABLED: "true" },
    "OBSERVER_ENABLED is true, but there is no endpoint. Set OTEL_EXPORTER_OTLP_ENDPOINT, OBSERVER_OTLP_ENDPOINT or OBSERVER_URL.\n",
  ],
  [
    { OBSERVER_TOKEN: "t" },
    "OBSERVER_TOKEN is set without OBSERVER_USERNAME. Set both, or neither when a proxy adds the authorisation.\n",
  ],
  [
    { OBSERVER_METRICS_INTERVAL: "soon" },
    'OBSERVER_METRICS_INTERVAL is "soon"; it must be a whole number from 1 to 86400.\n',
  ],
  [{ PLATFORM_LOG_LEVEL: "LOUD" }, 'PLATFORM_LOG_LEVEL is "LOUD"; allowed: DEBUG, INFO, WARNING, ERROR, CRITICAL.\n'],
  [
    { PLATFORM_LOG_FORMAT: "%(message)1000000000s" },
    "PLATFORM_LOG_FORMAT is not usable: the width of %(message) at character 1 is over 1000.\n",
  ],
])("ends the start in one line: %j", async (env, expected) => {
  const { code, stdout, stderr } = await launchEntry(entry, [], { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, ...env })
    .ended;
  expect([code, stdout, stderr]).toEqual([1, "", expected]);
});
