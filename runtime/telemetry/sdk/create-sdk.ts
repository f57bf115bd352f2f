import type { LoggerProvider as ApiLoggerProvider, Meter, TextMapPropagator, Tracer } from "@opentelemetry/api";
import type { Signal } from "../export/find-endpoint.ts";
import type { ExportPlan } from "../export/resolve-export.ts";
import { listenToSdk } from "./diagnostics.ts";
import { createExporter } from "./exporters.ts";
import { countRecords, countSpans, sparingTracer, type SpanQueue, watched } from "./sparing-tracer.ts";
import { ExportWatch } from "./export-watch.ts";
import type { ExporterOf, GrpcExporters } from "./grpc-exporters.ts";
import {
  BatchLogRecordProcessor,
  BatchSpanProcessor,
  ConsoleLogRecordExporter,
  ConsoleMetricExporter,
  ConsoleSpanExporter,
  LoggerProvider,
  MeterProvider,
  PeriodicExportingMetricReader,
  SimpleLogRecordProcessor,
  SimpleSpanProcessor,
  TracerProvider,
  type IMetricReader,
  type LogRecordProcessor,
  type PrometheusExporter,
  type Resource,
  type SpanProcessor,
} from "./official.ts";
import { createPrometheus } from "./prometheus.ts";
import { devSpans } from "./dev-spans.ts";
import { redactSpans } from "./redact-spans.ts";
import { registerProviders } from "./register.ts";
import { replayMeasures } from "./thread-metrics.ts";
import { ReceivedSignals } from "./thread-spans.ts";
import { logRecordLimits, numbersOf, queueLimits, samplerOf, spanLimits } from "./tracing-settings.ts";

/** Providers of the exported signals. */
export interface Sdk {
  readonly tracer: Tracer | undefined;
  readonly meter: Meter | undefined;
  readonly logs: ApiLoggerProvider | undefined;
  readonly threads: ReceivedSignals | undefined;
  readonly prometheus: PrometheusExporter | undefined;
  /** Sends pending data. It takes as long as the collector needs, and never rejects. */
  close(): Promise<void>;
  /** Signals whose data `close` has not sent yet. */
  readonly unsent: ReadonlySet<Signal>;
  /** Number of spans and log records that were lost earlier, and that no warning has reported yet. */
  readonly untold: number;
}

export interface SdkOptions {
  readonly plan: ExportPlan;
  readonly kind: "server" | "consumer";
  readonly resource: Resource;
  /** Signals that go to the author's own set-up instead. */
  readonly without: ReadonlySet<Signal>;
  readonly grpc: GrpcExporters | undefined;
  readonly propagator: TextMapPropagator;
  /** Name and version of tenon's tracer and meter. */
  readonly scope: readonly [string, string];
}

/** Maximum number of spans or log records in a queue, as the SDK has it. */
const usualQueueSize = 2048;
/** Maximum milliseconds for the export of metrics; used when the interval is longer. */
const longestMetricExport = 10_000;

/**
 * Creates providers, queues and exporters. The providers are registered with OpenTelemetry's API, except for signals
 * that already have a registered provider.
 */
export function createSdk({ plan, kind, resource, without, grpc, propagator, scope }: SdkOptions): Sdk {
  const parts = createParts(plan, kind, grpc);
  const wants = (signal: Signal, list: readonly unknown[]): boolean => !without.has(signal) && list.length > 0;
  const { env } = process;
  const spanProcessors = [redactSpans(scope[0]), ...parts.spans, ...devSpans(scope[0])];
  const sampler = samplerOf(env["OTEL_TRACES_SAMPLER"], env["OTEL_TRACES_SAMPLER_ARG"]);
  const tracing =
    wants("traces", parts.spans) || (plan.instrumentOutbound && !without.has("traces"))
      ? new TracerProvider({
          resource,
          sampler,
          spanLimits: spanLimits(),
          spanProcessors,
        })
      : undefined;
  const metering = wants("metrics", parts.readers)
    ? new MeterProvider({ resource, readers: parts.readers })
    : undefined;
  const logging = wants("logs", parts.logs)
    ? new LoggerProvider({
        resource,
        logRecordLimits: logRecordLimits(),
        processors: parts.logs,
      })
    : undefined;
  const unregister = registerProviders({ trace: tracing, metrics: metering, logs: logging }, propagator);
  const closes: readonly (readonly [Signal, (() => Promise<void>) | undefined])[] = [
    ["traces", tracing && (() => tracing.shutdown())],
    ["metrics", metering && (() => metering.shutdown())],
    ["logs", logging && (() => logging.shutdown())],
  ];
  const unsent = new Set<Signal>();
  return {
    tracer: tracing && sparingTracer(tracing.getTracer(...scope), sampler, parts.spanQueue),
    meter: metering?.getMeter(...scope),
    logs: logging,
    threads:
      tracing &&
      new ReceivedSignals(
        resource,
        (span) => {
          for (const processor of spanProcessors) processor.onEnd(span);
        },
        metering && replayMeasures(metering),
      ),
    prometheus: metering && parts.prometheus,
    unsent,
    get untold() {
      return parts.untold();
    },
    async close() {
      unregister();
      for (const [signal, close] of closes) if (close !== undefined && signal in plan.signals) unsent.add(signal);
      await Promise.allSettled(closes.map(([signal, close]) => close?.().finally(() => unsent.delete(signal))));
      parts.ended();
    },
  };
}

interface Parts {
  readonly spans: readonly SpanProcessor[];
  readonly readers: IMetricReader[];
  readonly logs: LogRecordProcessor[];
  readonly prometheus: PrometheusExporter | undefined;
  /** The queue of spans, if there is only one. */
  readonly spanQueue: SpanQueue | undefined;
  /** Called when all data has been sent. */
  ended(): void;
  untold(): number;
}

/** Creates the exporters of a plan, each with a queue or a reader, and printers. */
function createParts(plan: ExportPlan, kind: SdkOptions["kind"], grpc: GrpcExporters | undefined): Parts {
  const { consoles, metricsInterval } = plan;
  const watches: { [signal in Signal]?: ExportWatch } = {};
  const started = listenToSdk(process.env["OTEL_LOG_LEVEL"], () => watches.traces);
  const exporterOf = <S extends Signal>(signal: S, count: (items: unknown) => number): ExporterOf[S] | undefined => {
    const target = plan.signals[signal];
    const exporter = target && createExporter(signal, target, grpc);
    if (exporter === undefined || target === undefined) return undefined;
    return watched(exporter, (watches[signal] = new ExportWatch(signal, target.url)), count);
  };
  const traces = exporterOf("traces", lengthOf);
  const metrics = exporterOf("metrics", (items) => (items as { scopeMetrics: readonly unknown[] }).scopeMetrics.length);
  const logs = exporterOf("logs", lengthOf);
  started();
  const [spanQueue, recordQueue] = [queueLimits("spanQueue"), queueLimits("logRecordQueue")];
  const prometheus = plan.prometheus ? createPrometheus(kind) : undefined;
  const periodic = {
    exportIntervalMillis: metricsInterval,
    exportTimeoutMillis: Math.min(metricsInterval, numbersOf("metrics").exportTimeoutMillis ?? longestMetricExport),
  };
  return {
    spans: [
      ...(traces && watches.traces ? [countSpans(watches.traces)] : []),
      ...(traces ? [new BatchSpanProcessor({ exporter: traces, ...spanQueue })] : []),
      ...(consoles.includes("traces") ? [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })] : []),
    ],
    readers: [
      ...(metrics ? [new PeriodicExportingMetricReader({ exporter: metrics, ...periodic })] : []),
      ...(consoles.includes("metrics")
        ? [new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter(), ...periodic })]
        : []),
      ...(prometheus ? [prometheus] : []),
    ],
    logs: [
      ...(logs && watches.logs
        ? [
            countRecords(
              new BatchLogRecordProcessor({ exporter: logs, ...recordQueue }),
              watches.logs,
              recordQueue.maxQueueSize ?? usualQueueSize,
            ),
          ]
        : []),
      ...(consoles.includes("logs")
        ? [new SimpleLogRecordProcessor({ exporter: new ConsoleLogRecordExporter() })]
        : []),
    ],
    prometheus,
    spanQueue: watches.traces && !consoles.includes("traces") ? queueOf(watches.traces, spanQueue) : undefined,
    untold: () => Object.values(watches).reduce((sum, watch) => sum + watch.untold, 0),
    ended() {
      for (const watch of Object.values(watches)) watch.ended();
    },
  };
}

/** The capacity is the maximum of the queue plus one batch that is being sent. */
function queueOf(watch: ExportWatch, limits: ReturnType<typeof queueLimits>): SpanQueue {
  const { maxQueueSize = usualQueueSize, maxExportBatchSize = 512 } = limits;
  const most = maxQueueSize + Math.min(maxExportBatchSize, maxQueueSize);
  return { isFull: () => watch.pending >= most, spared: () => watch.spared() };
}

function lengthOf(items: unknown): number {
  return (items as readonly unknown[]).length;
}
