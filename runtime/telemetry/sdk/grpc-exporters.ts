import { signals, type Signal } from "../export/find-endpoint.ts";
import type { ExportPlan } from "../export/resolve-export.ts";
import { getLogger } from "../log/logging.ts";
import type { LogRecordExporter, PushMetricExporter, SpanExporter } from "./official.ts";

/** The exporter of each signal. */
export interface ExporterOf {
  readonly traces: SpanExporter;
  readonly metrics: PushMetricExporter;
  readonly logs: LogRecordExporter;
}

/** Creators of gRPC exporters. */
export type GrpcExporters = { readonly [S in Signal]?: (config: { readonly url: string }) => ExporterOf[S] };

type Config = { readonly url: string };

// Each import is inside a `try`, so that bundlers without the plugin accept a package that is not installed.
const packages: { readonly [S in Signal]: () => Promise<((config: Config) => ExporterOf[S]) | undefined> } = {
  traces: async () => {
    try {
      const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-grpc");
      return (config) => new OTLPTraceExporter(config);
    } catch {
      return undefined;
    }
  },
  metrics: async () => {
    try {
      const { OTLPMetricExporter } = await import("@opentelemetry/exporter-metrics-otlp-grpc");
      return (config) => new OTLPMetricExporter(config);
    } catch {
      return undefined;
    }
  },
  logs: async () => {
    try {
      const { OTLPLogExporter } = await import("@opentelemetry/exporter-logs-otlp-grpc");
      return (config) => new OTLPLogExporter(config);
    } catch {
      return undefined;
    }
  },
};

/**
 * Loads the exporters of the signals that are exported by gRPC. They are optional packages of the service's project; if
 * one is missing, a log line says so, and the signal is not exported.
 */
export async function loadGrpcExporters(plan: ExportPlan): Promise<GrpcExporters | undefined> {
  const wanted = signals.filter((signal) => plan.signals[signal]?.protocol === "grpc");
  if (wanted.length === 0) return undefined;
  const loaded: Partial<Record<Signal, unknown>> = {};
  const missing: Signal[] = [];
  for (const signal of wanted) {
    const exporter = await packages[signal]();
    if (exporter === undefined) missing.push(signal);
    else loaded[signal] = exporter;
  }
  if (missing.length > 0)
    getLogger("tenon").warn(
      `telemetry: ${missing.join(", ")} cannot go by grpc, whose exporters are not part of this service. Install ` +
        `"@opentelemetry/sdk-node" in its project and build again, or set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.`,
    );
  return loaded as GrpcExporters;
}
