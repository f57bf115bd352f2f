import type { VariableReader } from "./read-variables.ts";

/** Variables of OpenTelemetry that have no effect here, with alternatives. */
const unread: Readonly<Record<string, string>> = {
  OTEL_CONFIG_FILE: "set the variables, or start @opentelemetry/sdk-node yourself before the service",
  OTEL_EXPERIMENTAL_CONFIG_FILE: "set the variables, or start @opentelemetry/sdk-node yourself before the service",
  OTEL_NODE_EXPERIMENTAL_SDK_METRICS: "start @opentelemetry/sdk-node yourself before the service",
  OTEL_NODE_ENABLED_INSTRUMENTATIONS: "register instrumentations by node --import",
  OTEL_NODE_DISABLED_INSTRUMENTATIONS: "register instrumentations by node --import",
  OTEL_METRICS_EXEMPLAR_FILTER: "the SDK has no exemplars",
  OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION: "histograms have explicit buckets",
  OTEL_EXPORTER_ZIPKIN_ENDPOINT: "send OTLP to a collector that passes it on to Zipkin",
  OTEL_EXPORTER_ZIPKIN_TIMEOUT: "send OTLP to a collector that passes it on to Zipkin",
  OTEL_EXPORTER_JAEGER_ENDPOINT: "Jaeger takes OTLP: set OTEL_EXPORTER_OTLP_ENDPOINT",
  OTEL_EXPORTER_JAEGER_AGENT_HOST: "Jaeger takes OTLP: set OTEL_EXPORTER_OTLP_ENDPOINT",
};

/** Warnings about variables that are set and have no effect. */
export function unreadWarnings(read: VariableReader): readonly string[] {
  return Object.entries(unread).flatMap(([name, instead]) =>
    read.text(name) === undefined ? [] : [`${name} has no effect: ${instead}.`],
  );
}
