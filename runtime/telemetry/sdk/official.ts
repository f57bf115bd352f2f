/**
 * Exports the parts of the OpenTelemetry SDK that tenon uses; no other file imports the SDK. The build of the package
 * bundles this file, so that its twenty packages are not installed; `@opentelemetry/api` stays a package, since it
 * connects tenon's spans with the author's.
 */
export { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
export {
  CompositePropagator,
  ExportResultCode,
  suppressTracing,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
export type { ExportResult } from "@opentelemetry/core";
export { OTLPMetricExporter as JsonMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
export { OTLPMetricExporter as ProtoMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
export { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
export { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
export {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
export type { IExporterMetricsHelper, ISerializer } from "@opentelemetry/otlp-transformer";
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
export type { LogRecordExporter, LogRecordProcessor, ReadableLogRecord } from "@opentelemetry/sdk-logs";
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
