import { spawnSync } from "node:child_process";
import { join } from "node:path";
import protobuf from "protobufjs";

const folder = join(import.meta.dirname, "../fixtures/otlp-proto");
const services = {
  traces: ["trace", "ExportTraceServiceRequest"],
  metrics: ["metrics", "ExportMetricsServiceRequest"],
  logs: ["logs", "ExportLogsServiceRequest"],
} as const;

export type OtlpSignal = keyof typeof services;

/** A span, with its attributes as a plain object. */
export interface DecodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  /** Trace and span of each, with a hyphen between them. */
  readonly links: readonly string[];
  readonly status: string;
  /** Nanoseconds. */
  readonly duration: bigint;
}

interface KeyValue {
  readonly key: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

/** Reads the definitions of a signal, which takes longer than to decode thousands of bodies. */
function messageOf(signal: OtlpSignal): protobuf.Type {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => join(folder, target);
  const [service, message] = services[signal];
  root.loadSync(`opentelemetry/proto/collector/${service}/v1/${service}_service.proto`);
  return root.lookupType(`opentelemetry.proto.collector.${service}.v1.${message}`);
}

const messages: Readonly<Record<OtlpSignal, protobuf.Type>> = {
  traces: messageOf("traces"),
  metrics: messageOf("metrics"),
  logs: messageOf("logs"),
};

/** Decodes a body with protobufjs and the official definitions. */
export function decodeOtlp(signal: OtlpSignal, body: Uint8Array): Record<string, unknown> {
  const type = messages[signal];
  return type.toObject(type.decode(body), { longs: String, enums: String, bytes: Buffer, defaults: false });
}

/**
 * Decodes a body with `protoc`, strictly: a field that the definitions do not have is an error, except `Span.flags`
 * (16) which is younger than they are. Undefined when there is no `protoc`.
 */
export function protocDecode(signal: OtlpSignal, body: Uint8Array): string | undefined {
  const [service, message] = services[signal];
  const file = `opentelemetry/proto/collector/${service}/v1/${service}_service.proto`;
  const type = `opentelemetry.proto.collector.${service}.v1.${message}`;
  const result = spawnSync("protoc", ["-I", folder, `--decode=${type}`, file], {
    input: body,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (result.error !== undefined) return undefined;
  if (result.status !== 0) throw new Error(`protoc: ${result.stderr}`);
  const unknown = /^ *(\d+)(?:: | \{).*$/m.exec(result.stdout.replaceAll(/^ {6}16: 0x[0-9a-f]{8}$/gm, ""));
  if (unknown !== null) throw new Error(`protoc met an unknown field: ${unknown[0]}`);
  return result.stdout;
}

/** All spans of a body. */
export function spansOf(body: Uint8Array): readonly DecodedSpan[] {
  return list(decodeOtlp("traces", body)["resourceSpans"]).flatMap((resource) =>
    list(resource["scopeSpans"]).flatMap((scope) => list(scope["spans"]).map(toSpan)),
  );
}

/** Attributes of the resource of a body. */
export function resourceOf(signal: OtlpSignal, body: Uint8Array): Readonly<Record<string, unknown>> {
  const key = { traces: "resourceSpans", metrics: "resourceMetrics", logs: "resourceLogs" }[signal];
  const [first] = list(decodeOtlp(signal, body)[key]);
  return attributesOf((first?.["resource"] as { attributes?: KeyValue[] } | undefined)?.attributes);
}

/** All log records of a body. */
export function logsOf(body: Uint8Array): readonly Readonly<Record<string, unknown>>[] {
  return list(decodeOtlp("logs", body)["resourceLogs"]).flatMap((resource) =>
    list(resource["scopeLogs"]).flatMap((scope) =>
      list(scope["logRecords"]).map((record) => ({
        logger: (scope["scope"] as { name?: string } | undefined)?.name,
        severity: record["severityText"],
        number: record["severityNumber"],
        body: plain(record["body"] as KeyValue["value"]),
        attributes: attributesOf(record["attributes"] as KeyValue[] | undefined),
        traceId: hex(record["traceId"]),
        spanId: hex(record["spanId"]),
      })),
    ),
  );
}

/** Metrics of a body by name, each with its data points. */
export function metricsOf(body: Uint8Array): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> {
  const metrics = list(decodeOtlp("metrics", body)["resourceMetrics"]).flatMap((resource) =>
    list(resource["scopeMetrics"]).flatMap((scope) => list(scope["metrics"])),
  );
  return Object.fromEntries(
    metrics.map((metric) => {
      const data = (metric["sum"] ?? metric["histogram"]) as { dataPoints?: Record<string, unknown>[] } | undefined;
      const points = (data?.dataPoints ?? []).map((point) => ({
        ...point,
        attributes: attributesOf(point["attributes"] as KeyValue[] | undefined),
      }));
      return [String(metric["name"]), points];
    }),
  );
}

function toSpan(span: Record<string, unknown>): DecodedSpan {
  const events = list(span["events"]).map((event) => ({
    name: String(event["name"]),
    attributes: attributesOf(event["attributes"] as KeyValue[] | undefined),
  }));
  return {
    traceId: hex(span["traceId"]),
    spanId: hex(span["spanId"]),
    parentSpanId: hex(span["parentSpanId"]),
    traceState: String(span["traceState"] ?? ""),
    name: String(span["name"]),
    kind: String(span["kind"]),
    attributes: attributesOf(span["attributes"] as KeyValue[] | undefined),
    events,
    links: list(span["links"]).map((link) => `${hex(link["traceId"])}-${hex(link["spanId"])}`),
    status: String((span["status"] as { code?: string } | undefined)?.code ?? "STATUS_CODE_UNSET"),
    duration: BigInt(String(span["endTimeUnixNano"])) - BigInt(String(span["startTimeUnixNano"])),
  };
}

function attributesOf(pairs: readonly KeyValue[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: KeyValue["value"]): unknown {
  if (value === undefined) return undefined;
  const { arrayValue, kvlistValue, ...scalar } = value as {
    arrayValue?: { values?: KeyValue["value"][] };
    kvlistValue?: { values?: KeyValue[] };
  };
  if (arrayValue !== undefined) return (arrayValue.values ?? []).map(plain);
  if (kvlistValue !== undefined) return attributesOf(kvlistValue.values);
  return Object.values(scalar)[0];
}

function list(value: unknown): readonly Record<string, unknown>[] {
  return (value ?? []) as readonly Record<string, unknown>[];
}

function hex(value: unknown): string {
  return value === undefined ? "" : Buffer.from(value as Uint8Array).toString("hex");
}
