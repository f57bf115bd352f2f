import { diag, DiagLogLevel, logs, metrics, SpanKind, trace } from "@opentelemetry/api";
import { LoggerProvider, InMemoryLogRecordExporter, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { AlwaysOffSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../../runtime/service/config/config.ts";
import { Service } from "../../../../runtime/service/service.ts";
import { flushLogs, loggingInit } from "../../../../runtime/telemetry/log/logging.ts";
import { exportLogs } from "../../../../runtime/telemetry/spans/log-export.ts";
import { startTelemetry } from "../../../../runtime/telemetry/start-telemetry.ts";

const records = new InMemoryLogRecordExporter();
const loggers = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter: records })] });
beforeAll(() => {
  trace.setGlobalTracerProvider(new TracerProvider({ sampler: new AlwaysOffSampler() }));
  metrics.setGlobalMeterProvider(new MeterProvider());
  logs.setGlobalLoggerProvider(loggers);
});
afterAll(() => {
  for (const signal of [trace, metrics, logs]) signal.disable();
});

test("nothing is created for signals that the author's set-up handles", async () => {
  const lines: string[] = [];
  loggingInit({ write: (line) => lines.push(line) });
  const heard: string[] = [];
  const hear = (text: string): void => void heard.push(text);
  diag.setLogger({ error: hear, warn: hear, info: hear, debug: hear, verbose: hear }, DiagLogLevel.WARN);
  const taken = createServer();
  await new Promise<void>((resolve) => void taken.listen(0, "127.0.0.1", resolve));
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    OTEL_METRICS_EXPORTER: "prometheus",
    OTEL_EXPORTER_PROMETHEUS_HOST: "127.0.0.1",
    OTEL_EXPORTER_PROMETHEUS_PORT: String((taken.address() as { port: number }).port),
  };
  Object.assign(process.env, env);
  try {
    const served = { service: new Service({ name: "s" }), version: "1", tools: [] };
    const telemetry = await startTelemetry({ served, config: readConfig(env, []), kind: "server", env });
    expect([telemetry.metricsText, telemetry.jobs === undefined]).toEqual([undefined, false]);
    diag.warn("after");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await flushLogs();
    expect([heard, lines]).toEqual([["after"], []]);
    await telemetry.close();
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    diag.disable();
    taken.close();
  }
});

test("a log record has the flags of its span, also of one that is not sampled", () => {
  const span = trace.getTracer("t").startSpan("s", { kind: SpanKind.SERVER });
  const { traceId, spanId } = span.spanContext();
  const record = {
    time: new Date(),
    level: "INFO",
    name: "l",
    message: "m",
    fields: { trace_id: traceId, span_id: spanId },
  } as const;
  const activeSpan = trace.getActiveSpan;
  trace.getActiveSpan = () => span;
  try {
    exportLogs(loggers)(record as never);
  } finally {
    trace.getActiveSpan = activeSpan;
  }
  exportLogs(loggers)(record as never);
  expect(records.getFinishedLogRecords().map(({ spanContext }) => spanContext?.traceFlags)).toEqual([0, 1]);
});
