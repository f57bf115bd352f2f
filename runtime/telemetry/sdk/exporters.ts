import { AsyncLocalStorage } from "node:async_hooks";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-proto";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPExporterBase } from "@opentelemetry/otlp-exporter-base";
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import type { Signal } from "../export/find-endpoint.ts";
import type { SignalTarget } from "../export/resolve-export.ts";
import { BatchQueue } from "./batch-queue.ts";
import { ExportWatch } from "./export-watch.ts";
import type { Span } from "./span.ts";

/** A queue in front of an exporter. */
export interface SignalQueue<T> {
  readonly watch: ExportWatch;
  add(item: T): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface Exporter<T> {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

type Exporters = { metrics: OTLPMetricExporter; logs: OTLPLogExporter };

/**
 * Creates the exporter of a signal. It reads timeout, compression and certificates from the standard variables itself.
 */
export function createExporter<S extends keyof Exporters>(signal: S, { url, headers }: SignalTarget): Exporters[S] {
  const config = { url, headers: { ...headers } };
  const make: { [K in keyof Exporters]: () => Exporters[K] } = {
    metrics: () => new OTLPMetricExporter(config),
    logs: () => new OTLPLogExporter(config),
  };
  return withoutHeaderVariables(make[signal]);
}

/** Creates the exporter of spans: the transport of the others, with an encoder of our own. */
export function createSpanExporter(
  { url, headers }: SignalTarget,
  encode: (spans: readonly Span[]) => Uint8Array,
): Exporter<Span[]> {
  const type = { "Content-Type": "application/x-protobuf" };
  const delegate = withoutHeaderVariables(() =>
    createOtlpHttpExportDelegate<Span[], object>(
      convertLegacyHttpOptions({ url, headers: { ...headers } }, "TRACES", "v1/traces", type),
      // The answer is ignored: it would only say in free text that a part was accepted.
      { serializeRequest: encode, deserializeResponse: () => ({}) },
      "otlp_http_span_exporter",
      { name: "span", countItems: (spans) => spans.length },
      undefined,
    ),
  );
  return new OTLPExporterBase(delegate);
}

/** Hides header variables from the exporter, which would also read those that the plan has rejected. */
function withoutHeaderVariables<T>(make: () => T): T {
  const { env } = process;
  const hidden = Object.entries(env).filter(([name]) => /^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/.test(name));
  for (const [name] of hidden) delete env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) env[name] = value;
  }
}

/** Puts a queue in front of an exporter of spans or log records. */
export function createQueue<T>(signal: Signal, exporter: Exporter<T[]>, url: string): SignalQueue<T> {
  const watch = new ExportWatch(signal, url);
  const outside = AsyncLocalStorage.snapshot();
  const queue = new BatchQueue<T>({
    // The job that fills a batch must not become the context of its export.
    send: (batch) => outside(() => sendWatched(exporter, batch, batch.length, watch)),
    onDrop: () => watch.dropped(),
  });
  return {
    watch,
    add: (item) => queue.add(item),
    flush: () => queue.flush(),
    async close() {
      await queue.close();
      await exporter.shutdown();
    },
  };
}

/** Exports once and counts the outcome. Rejects when it failed. */
export function sendWatched<T>(exporter: Exporter<T>, items: T, count: number, watch: ExportWatch): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    exporter.export(items, ({ code, error }) => {
      if (code === 0) resolve();
      else reject(error ?? new Error("refused"));
    });
  }).then(
    () => watch.exported(count),
    (error: unknown) => {
      watch.failed(count, error);
      throw error;
    },
  );
}
