import { resourceFromAttributes } from "@opentelemetry/resources";
import { LoggerProvider } from "@opentelemetry/sdk-logs";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { Signal } from "../export/find-endpoint.ts";
import type { LogTarget } from "../log/log-target.ts";
import type { ExportPlan } from "../export/resolve-export.ts";
import { spanEncoder } from "./encode-spans.ts";
import { createExporter, createQueue, createSpanExporter, sendWatched } from "./exporters.ts";
import type { ExportCounts } from "./export-watch.ts";
import { ExportWatch } from "./export-watch.ts";
import { exportLogs } from "./log-export.ts";
import { createOwnMetrics } from "./own-metrics.ts";
import type { OwnMetrics } from "./own-metrics.ts";
import { createSpanIds } from "./span-ids.ts";
import type { Span, SpanSource } from "./span.ts";

/** Identity of the exporting service; nothing else about the process is sent. */
export interface Origin {
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly serviceId: string | undefined;
}

/** Providers of the exported signals. */
export interface Sdk {
  readonly spans: SpanSource | undefined;
  readonly metrics: OwnMetrics | undefined;
  readonly logs: LogTarget | undefined;
  readonly counts: Readonly<Partial<Record<Signal, ExportCounts>>>;
  /** Sends pending data. It may take as long as the collector likes, and never rejects. */
  close(): Promise<void>;
  /** Signals that `close` has not sent yet. */
  readonly unsent: ReadonlySet<Signal>;
}

/** Milliseconds; used when the interval is longer. */
const longestMetricExport = 10_000;

/**
 * Creates providers, queues and exporters, without the SDK's resource detectors: those send the command line and more.
 */
export function createSdk(plan: ExportPlan, origin: Origin, version: string): Sdk {
  const scope = { name: "tenon", version };
  const attributes = {
    "service.name": origin.serviceName,
    "service.version": origin.serviceVersion,
    ...(origin.serviceId !== undefined && { "platform.service_id": origin.serviceId }),
  };
  const resource = resourceFromAttributes(attributes);
  const { traces, metrics, logs } = plan.signals;
  const counts: { [signal in Signal]?: ExportCounts } = {};
  const closes: (readonly [Signal, () => Promise<void>])[] = [];

  let spans: SpanSource | undefined;
  if (traces !== undefined || plan.instrumentOutbound) {
    const encode = spanEncoder({ resource: attributes, ...scope });
    const queue = traces && createQueue<Span>("traces", createSpanExporter(traces, encode), traces.url);
    spans = { ids: createSpanIds(), ended: (span) => queue?.add(span) };
    if (queue !== undefined) {
      counts.traces = queue.watch.counts;
      closes.push(["traces", () => queue.close()]);
    }
  }

  let ownMetrics: OwnMetrics | undefined;
  if (metrics !== undefined) {
    const watch = new ExportWatch("metrics", metrics.url);
    const exporter = createExporter("metrics", metrics);
    ownMetrics = createOwnMetrics({
      resource,
      scope,
      temporality: (type) => exporter.selectAggregationTemporality(type),
    });
    const provider = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: watched(exporter, watch),
          metricProducers: [ownMetrics],
          exportIntervalMillis: plan.metricsInterval,
          exportTimeoutMillis: Math.min(plan.metricsInterval, longestMetricExport),
        }),
      ],
    });
    counts.metrics = watch.counts;
    closes.push(["metrics", () => provider.shutdown()]);
  }

  let target: LogTarget | undefined;
  if (logs !== undefined) {
    const queue = createQueue<ReadableLogRecord>("logs", createExporter("logs", logs), logs.url);
    const provider = new LoggerProvider({
      resource,
      logRecordLimits: { attributeValueLengthLimit: 8192 },
      processors: [
        { onEmit: (record) => queue.add(record), forceFlush: () => queue.flush(), shutdown: () => queue.close() },
      ],
    });
    target = exportLogs(provider);
    counts.logs = queue.watch.counts;
    closes.push(["logs", () => provider.shutdown()]);
  }
  const unsent = new Set<Signal>();
  return {
    spans,
    metrics: ownMetrics,
    logs: target,
    counts,
    unsent,
    async close() {
      for (const [signal] of closes) unsent.add(signal);
      await Promise.allSettled(closes.map(([signal, close]) => close().finally(() => unsent.delete(signal))));
    },
  };
}

function watched(exporter: PushMetricExporter, watch: ExportWatch): PushMetricExporter {
  const wrapper = Object.create(exporter) as PushMetricExporter;
  wrapper.export = (metrics, done) => {
    sendWatched(exporter, metrics, metrics.scopeMetrics.length, watch).then(
      () => done({ code: 0 }),
      (error: Error) => done({ code: 1, error }),
    );
  };
  return wrapper;
}
