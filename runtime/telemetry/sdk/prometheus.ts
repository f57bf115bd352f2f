import { getLogger } from "../log/logging.ts";
import { numbersOf } from "./tracing-settings.ts";
import { PrometheusExporter, PrometheusSerializer } from "./official.ts";

/**
 * Creates the reader of metrics for Prometheus. A server answers `/metrics` on its own port. A worker has no port, so
 * the exporter opens one; it also does so if one of its variables is set.
 */
export function createPrometheus(kind: "server" | "consumer"): PrometheusExporter {
  const host = process.env["OTEL_EXPORTER_PROMETHEUS_HOST"]?.trim() || undefined;
  const { port } = numbersOf("prometheus");
  const listens = kind === "consumer" || host !== undefined || port !== undefined;
  const config = {
    preventServerStart: !listens,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
  };
  return new PrometheusExporter(config, (error?: Error | void) => {
    if (error instanceof Error)
      getLogger("tenon").warn(
        `telemetry: metrics cannot be read, since the listener for Prometheus has failed (${error.message}). ` +
          "Change OTEL_EXPORTER_PROMETHEUS_HOST or OTEL_EXPORTER_PROMETHEUS_PORT.",
      );
  });
}

/** Creates the function that reads all metrics as text. */
export function metricsText(reader: PrometheusExporter): () => Promise<string> {
  const serializer = new PrometheusSerializer();
  return async () => serializer.serialize((await reader.collect()).resourceMetrics);
}
