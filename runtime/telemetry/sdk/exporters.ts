import type { Signal } from "../export/find-endpoint.ts";
import type { SignalTarget } from "../export/resolve-export.ts";
import type { ExporterOf, GrpcExporters } from "./grpc-exporters.ts";
import {
  JsonMetricExporter,
  ProtoMetricExporter,
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
  type ReadableLogRecord,
  type ReadableSpan,
} from "./official.ts";
import { createSlicedExporter, type BatchFormat } from "./sliced-exporter.ts";

const protobuf = { contentType: "application/x-protobuf", join: joinMessages } as const;
const json = { contentType: "application/json", join: joinLists } as const;
const spans = { variables: "TRACES", item: "span" } as const;
const records = { variables: "LOGS", item: "log" } as const;

/** Formats of spans, by protocol. */
export const spanFormats: Readonly<Record<"http/protobuf" | "http/json", BatchFormat<ReadableSpan>>> = {
  "http/protobuf": { ...spans, ...protobuf, serializer: ProtobufTraceSerializer },
  "http/json": { ...spans, ...json, serializer: JsonTraceSerializer },
};

/** Formats of log records, by protocol. */
export const logFormats: Readonly<Record<"http/protobuf" | "http/json", BatchFormat<ReadableLogRecord>>> = {
  "http/protobuf": { ...records, ...protobuf, serializer: ProtobufLogsSerializer },
  "http/json": { ...records, ...json, serializer: JsonLogsSerializer },
};

/**
 * Joins protobuf messages by concatenation: lists that follow one another are one list:
 * https://protobuf.dev/programming-guides/encoding/#last-one-wins.
 */
function joinMessages(requests: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(requests);
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = Buffer.from(",");

/** Joins JSON objects that have one list, such as `{"resourceSpans":[…]}`. */
function joinLists(requests: readonly Uint8Array[]): Uint8Array {
  const [first = Buffer.from("{}")] = requests;
  const items = requests.map((text) => text.subarray(text.indexOf(openBracket) + 1, text.lastIndexOf(closeBracket)));
  return Buffer.concat([
    first.subarray(0, first.indexOf(openBracket) + 1),
    ...items.flatMap((text, index) => (index === 0 ? [text] : [comma, text])),
    first.subarray(first.lastIndexOf(closeBracket)),
  ]);
}

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
 * @param grpc Set if a signal is exported by gRPC.
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
 * Replaces the header variables while an exporter is created. The exporter would also read headers that the plan has
 * rejected, and the gRPC exporter accepts headers only from these variables.
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
