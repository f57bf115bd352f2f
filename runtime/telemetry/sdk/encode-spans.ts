import { ProtoWriter } from "./proto-writer.ts";
import { spanKinds, statusCodes } from "./span.ts";
import type { AttributeValue, Span, SpanEvent, SpanKind } from "./span.ts";

/** Characters that a text may have. */
const longestText = 8192;
/** Milliseconds of clock adjustment that are tolerated before times follow the machine's clock. */
const tolerance = 50;
const hasRemoteFlag = 0x100;
const remoteFlag = 0x200;

/** Field numbers of OTLP's messages: `opentelemetry/proto/trace/v1/trace.proto`. */
const field = {
  resource: { attributes: 1 },
  scope: { name: 1, version: 2 },
  scopeSpans: { scope: 1, spans: 2 },
  resourceSpans: { resource: 1, scopeSpans: 2 },
  request: { resourceSpans: 1 },
  // oxfmt-ignore
  span: {
    traceId: 1, spanId: 2, traceState: 3, parentSpanId: 4, name: 5, kind: 6, start: 7, end: 8,
    attributes: 9, events: 11, status: 15, flags: 16,
  },
  event: { time: 1, name: 2, attributes: 3 },
  status: { message: 2, code: 3 },
  keyValue: { key: 1, value: 2 },
  anyValue: { string: 1, bool: 2, int: 3, double: 4, array: 5 },
  arrayValue: { values: 1 },
} as const;

export interface SpanScope {
  readonly resource: Readonly<Record<string, AttributeValue>>;
  readonly name: string;
  readonly version: string;
}

/** Bytes for the length of a span: nearly all have between 128 and 16,383. */
const spanLength = 2;
const jobIdKey = encodeField(field.keyValue.key, "platform.job_id");

/** Creates a function that encodes spans as the body of an OTLP request. */
export function spanEncoder({ resource, name, version }: SpanScope): (spans: readonly Span[]) => Uint8Array {
  const writer = new ProtoWriter();
  const inResource = writer.begin(field.resourceSpans.resource);
  for (const [key, value] of Object.entries(resource)) writeAttribute(writer, field.resource.attributes, key, value);
  writer.end(inResource);
  const resourceBytes = writer.take();
  const inScope = writer.begin(field.scopeSpans.scope);
  writer.text(field.scope.name, name);
  writer.text(field.scope.version, version);
  writer.end(inScope);
  const scopeBytes = writer.take();
  let origin = performance.timeOrigin;
  return (spans) => {
    const now = Date.now() - performance.now();
    if (Math.abs(now - origin) > tolerance) origin = now;
    const request = writer.begin(field.request.resourceSpans);
    writer.copy(resourceBytes);
    const scopeSpans = writer.begin(field.resourceSpans.scopeSpans);
    writer.copy(scopeBytes);
    for (const span of spans) writeSpan(writer, span, origin);
    writer.end(scopeSpans);
    writer.end(request);
    return writer.take();
  };
}

export interface CommonFields {
  /** Left out when spans have names of their own. */
  readonly name?: string;
  readonly kind?: SpanKind;
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  readonly status?: keyof typeof statusCodes;
}

/** Encodes fields that several spans share, for {@link SpanStart.common} and `ending`. */
export function encodeCommon({ name, kind, attributes = {}, status }: CommonFields): Uint8Array {
  const writer = new ProtoWriter(512);
  if (name !== undefined) writer.text(field.span.name, name);
  if (kind !== undefined) writer.varint(field.span.kind, spanKinds[kind]);
  for (const [key, value] of Object.entries(attributes)) writeAttribute(writer, field.span.attributes, key, value);
  if (status !== undefined) writeStatus(writer, status, undefined);
  return writer.take();
}

function encodeField(number: number, text: string): Uint8Array {
  const writer = new ProtoWriter(128);
  writer.text(number, text);
  return writer.take();
}

function writeSpan(writer: ProtoWriter, span: Span, origin: number): void {
  const { attributes } = span;
  const start = writer.begin(field.scopeSpans.spans, spanLength);
  span.writeIds(writer, field.span.traceId, field.span.spanId);
  if (span.tracestate !== undefined) writer.text(field.span.traceState, span.tracestate);
  if (span.parentId !== undefined) writer.hex(field.span.parentSpanId, span.parentId);
  if (span.name !== undefined) writer.text(field.span.name, span.name);
  writeTime(writer, field.span.start, origin, span.start);
  writeTime(writer, field.span.end, origin, span.finish);
  writer.copy(span.common);
  if (span.jobId !== undefined) writeJobId(writer, span.jobId);
  if (attributes !== undefined) {
    for (let index = 0; index < attributes.length; index += 2)
      writeAttribute(writer, field.span.attributes, String(attributes[index]), attributes[index + 1] ?? "");
  }
  if (span.events !== undefined) for (const event of span.events) writeEvent(writer, event, origin);
  if (span.status !== "unset") writeStatus(writer, span.status, span.message);
  if (span.ending !== undefined) writer.copy(span.ending);
  writer.fixed32(field.span.flags, span.flags | hasRemoteFlag | (span.isRemote ? remoteFlag : 0));
  writer.end(start, spanLength);
}

function writeStatus(writer: ProtoWriter, status: keyof typeof statusCodes, message: string | undefined): void {
  const start = writer.begin(field.span.status);
  if (message !== undefined) writer.text(field.status.message, message);
  writer.varint(field.status.code, statusCodes[status]);
  writer.end(start);
}

function writeJobId(writer: ProtoWriter, id: string): void {
  const start = writer.begin(field.span.attributes);
  writer.copy(jobIdKey);
  writeValue(writer, field.keyValue.value, id);
  writer.end(start);
}

function writeEvent(writer: ProtoWriter, { name, time, attributes }: SpanEvent, origin: number): void {
  const start = writer.begin(field.span.events);
  writeTime(writer, field.event.time, origin, time);
  writer.text(field.event.name, name);
  for (const [key, value] of Object.entries(attributes)) writeAttribute(writer, field.event.attributes, key, value);
  writer.end(start);
}

function writeAttribute(writer: ProtoWriter, number: number, key: string, value: AttributeValue): void {
  const start = writer.begin(number);
  writer.text(field.keyValue.key, key);
  writeValue(writer, field.keyValue.value, value);
  writer.end(start);
}

function writeValue(writer: ProtoWriter, number: number, value: AttributeValue): void {
  const start = writer.begin(number);
  if (typeof value === "string")
    writer.text(field.anyValue.string, value.length > longestText ? value.slice(0, longestText) : value);
  else if (typeof value === "boolean") writer.varint(field.anyValue.bool, value ? 1 : 0);
  else if (typeof value === "number") {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) writer.int64(field.anyValue.int, value);
    else writer.double(field.anyValue.double, value);
  } else {
    const list = writer.begin(field.anyValue.array);
    for (const item of value) writeValue(writer, field.arrayValue.values, item);
    writer.end(list);
  }
  writer.end(start);
}

/** Nanoseconds since 1970. They do not fit into a number, so they are computed in two parts. */
function writeTime(writer: ProtoWriter, number: number, origin: number, time: number): void {
  const milliseconds = Math.floor(origin) + Math.floor(time);
  const nanoseconds = Math.round((origin - Math.floor(origin) + (time - Math.floor(time))) * 1e6);
  const upper = Math.floor(milliseconds / 0x1_0000) * 1e6;
  const lower = (milliseconds % 0x1_0000) * 1e6 + nanoseconds;
  const sum = (upper % 0x1_0000) * 0x1_0000 + lower;
  writer.fixed64(number, sum % 0x1_0000_0000, Math.floor(upper / 0x1_0000) + Math.floor(sum / 0x1_0000_0000));
}
