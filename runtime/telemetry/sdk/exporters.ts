import type { Signal } from "../export/find-endpoint.ts";
import type { SignalTarget } from "../export/resolve-export.ts";
import type { ExporterOf, GrpcExporters } from "./grpc-exporters.ts";
import { logFormats, spanFormats } from "./batch-formats.ts";
import { JsonMetricExporter, ProtoMetricExporter } from "./official.ts";
import { createSlicedExporter } from "./sliced-exporter.ts";

type Config = { url: string; headers: Record<string, string> };

const overHttp: {
  readonly [S in Signal]: Readonly<Record<"http/protobuf" | "http/json", (config: Config) => ExporterOf[S]>>;
} = {
  traces: {
    "http/protobuf": (config) => createSlicedExporter(config, spanFormats["http/protobuf"]),
    "http/json": (config) => createSlicedExporter(config, spanFormats["http/json"]),
  },
  metrics: {
    "http/protobuf": (config) => new ProtoMetricExporter(config),
    "http/json": (config) => new JsonMetricExporter(config),
  },
  logs: {
    "http/protobuf": (config) => createSlicedExporter(config, logFormats["http/protobuf"]),
    "http/json": (config) => createSlicedExporter(config, logFormats["http/json"]),
  },
};

/**
 * Creates the OTLP exporter of a signal. It reads timeout, compression and certificates from the standard variables
 * itself.
 *
 * @param grpc Loaded where a signal goes by gRPC.
 */
export function createExporter<S extends Signal>(
  signal: S,
  { url, headers, protocol }: SignalTarget,
  grpc: GrpcExporters | undefined,
): ExporterOf[S] | undefined {
  if (protocol !== "grpc")
    return withHeaderVariable(undefined, () => overHttp[signal][protocol]({ url, headers: { ...headers } }));
  const make = grpc?.[signal];
  const list = Object.entries(headers).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return make && withHeaderVariable(list.join(","), () => make({ url }));
}

/**
 * Replaces the header variables while an exporter is made: it would read those too that the plan has rejected. The one
 * for gRPC takes no headers but these.
 */
function withHeaderVariable<T>(text: string | undefined, make: () => T): T {
  const { env } = process;
  const hidden = Object.entries(env).filter(([name]) => /^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/.test(name));
  for (const [name] of hidden) delete env[name];
  if (text !== undefined) env["OTEL_EXPORTER_OTLP_HEADERS"] = text;
  try {
    return make();
  } finally {
    delete env["OTEL_EXPORTER_OTLP_HEADERS"];
    for (const [name, value] of hidden) env[name] = value;
  }
}
