import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from "./official.ts";
import type { ReadableLogRecord, ReadableSpan } from "./official.ts";
import type { BatchFormat } from "./sliced-exporter.ts";

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

/** Lists of protobuf messages that follow each other are one list: https://protobuf.dev/programming-guides/encoding/#last-one-wins. */
export function joinMessages(requests: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(requests);
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = Buffer.from(",");

/** Joins objects that have one list, such as `{"resourceSpans":[…]}`. */
export function joinLists(requests: readonly Uint8Array[]): Uint8Array {
  const [first = Buffer.from("{}")] = requests;
  const items = requests.map((text) => text.subarray(text.indexOf(openBracket) + 1, text.lastIndexOf(closeBracket)));
  return Buffer.concat([
    first.subarray(0, first.indexOf(openBracket) + 1),
    ...items.flatMap((text, index) => (index === 0 ? [text] : [comma, text])),
    first.subarray(first.lastIndexOf(closeBracket)),
  ]);
}
