/**
 * All that we use of the OpenTelemetry SDK, and the only file that imports it. The build of the package bundles this
 * file, so that an install has none of the twenty packages behind it; `@opentelemetry/api` stays a package, since it
 * joins our spans with the author's.
 */
export { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
export {
  CompositePropagator,
  suppressTracing,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
export { OTLPLogExporter as JsonLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
export { OTLPLogExporter as ProtoLogExporter } from "@opentelemetry/exporter-logs-otlp-proto";
export { OTLPMetricExporter as JsonMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
export { OTLPMetricExporter as ProtoMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
export { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
export { OTLPTraceExporter as JsonSpanExporter } from "@opentelemetry/exporter-trace-otlp-http";
export { OTLPTraceExporter as ProtoSpanExporter } from "@opentelemetry/exporter-trace-otlp-proto";
export {
  defaultResource,
  detectResources,
  hostDetector,
  osDetector,
  processDetector,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
export type { Resource, ResourceDetector } from "@opentelemetry/resources";
export {
  BatchLogRecordProcessor,
  ConsoleLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
export type { LogRecordExporter, LogRecordProcessor } from "@opentelemetry/sdk-logs";
export { ConsoleMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
export type { IMetricReader, PushMetricExporter } from "@opentelemetry/sdk-metrics";
export {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  RandomIdGenerator,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
export type { ReadableSpan, SpanExporter, SpanLimits, SpanProcessor } from "@opentelemetry/sdk-trace";
