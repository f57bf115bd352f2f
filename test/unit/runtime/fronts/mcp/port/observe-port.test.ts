import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { beforeEach, expect, test } from "vitest";
import { observePort } from "../../../../../../runtime/fronts/mcp/port/observe-port.ts";
import type { McpCallContext, McpPort } from "../../../../../../runtime/fronts/mcp/port/port.ts";
import { createCallObserver } from "../../../../../../runtime/telemetry/spans/call-spans.ts";

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
beforeEach(() => exporter.reset());

const context: McpCallContext = {
  signal: new AbortController().signal,
  requestId: "r1",
  revision: "2026-07-28",
  session: "s1",
  baggage: "a=1",
};

/** The parents that prompts and resources have been called with. */
const parents: (string | undefined)[] = [];
const inner = {
  startCall(_name: string, _args: object, _context: object, done: (end: Error) => void) {
    done(Object.assign(new Error("unknown"), { code: -32_602 }));
    return () => {};
  },
  prompts: {
    async get(_name: string, _args: object, { traceparent }: McpCallContext) {
      parents.push(traceparent);
      return { messages: [] };
    },
  },
  resources: {
    async read(_uri: string, { traceparent }: McpCallContext) {
      parents.push(traceparent);
      throw Object.assign(new Error("none"), { code: -32_002 });
    },
  },
} as unknown as McpPort;

test("prompts and resources have spans, and the job's span is their child", async () => {
  const port = observePort(inner, createCallObserver(provider.getTracer("t"), undefined), "tcp", new Set(["review"]));
  await port.prompts?.get("review", {}, context);
  await expect(port.resources?.read("notes://u:CANARY-1@all", context)).rejects.toThrow("none");
  const spans = exporter.getFinishedSpans();
  const shared = {
    "mcp.protocol.version": "2026-07-28",
    "network.transport": "tcp",
    "network.protocol.name": "http",
    "jsonrpc.request.id": "r1",
    "mcp.session.id": "s1",
  };
  expect(spans.map(({ name, attributes }) => [name, attributes])).toEqual([
    ["prompts/get review", { ...shared, "mcp.method.name": "prompts/get", "gen_ai.prompt.name": "review" }],
    [
      "resources/read",
      {
        ...shared,
        "mcp.method.name": "resources/read",
        "mcp.resource.uri": "notes://[redacted]@all",
        "error.type": "-32002",
        "rpc.response.status_code": "-32002",
      },
    ],
  ]);
  expect(parents).toEqual(spans.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`));
});

test("names that clients invent are neither in spans nor in metrics", async () => {
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: metrics })] });
  const observer = createCallObserver(provider.getTracer("t"), meters.getMeter("t"));
  const port = observePort(inner, observer, "tcp", new Set());
  for (let index = 0; index < 10; index++) {
    port.startCall(`invented-${index}`, {}, context, () => {});
    await port.prompts?.get(`invented-${index}`, {}, context);
  }
  await meters.forceFlush();
  expect(new Set(exporter.getFinishedSpans().map(({ name }) => name))).toEqual(new Set(["tools/call", "prompts/get"]));
  const points = metrics
    .getMetrics()
    .flatMap(({ scopeMetrics: [scope] }): readonly unknown[] => scope?.metrics[0]?.dataPoints ?? []);
  expect(points).toHaveLength(2);
  expect(JSON.stringify([points, exporter.getFinishedSpans().map(({ attributes }) => attributes)])).not.toContain(
    "invented",
  );
  await meters.shutdown();
});
