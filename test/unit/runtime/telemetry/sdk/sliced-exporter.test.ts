import { LoggerProvider, type ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { TracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logFormats, spanFormats } from "../../../../../runtime/telemetry/sdk/exporters.ts";
import { createSlicedExporter, type BatchFormat } from "../../../../../runtime/telemetry/sdk/sliced-exporter.ts";
import { logsOf, spansOf } from "../../../../support/otlp-decode.ts";
import { answers, startOtlpSink, type OtlpSink } from "../../../../support/otlp-sink.ts";

let sink: OtlpSink;
beforeEach(async () => {
  sink = await startOtlpSink();
});
afterEach(() => sink.close());

/** Not a multiple of the size of a slice, nor of the batch of the SDK. */
const many = 515;

function spansFrom(count: number): readonly ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  const keep = {
    onStart() {},
    onEnd: (span: ReadableSpan) => spans.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const tracer = new TracerProvider({ spanProcessors: [keep] }).getTracer("test", "1");
  for (let index = 0; index < count; index++)
    tracer.startSpan(`span ${index}`, { attributes: { text: `]},{"[é${index}`, list: ["[", "]"] } }).end();
  return spans;
}

function recordsFrom(count: number): readonly ReadableLogRecord[] {
  const records: ReadableLogRecord[] = [];
  const keep = {
    onEmit: (record: ReadableLogRecord) => records.push(record),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const logger = new LoggerProvider({ processors: [keep] }).getLogger("test", "1");
  for (let index = 0; index < count; index++) logger.emit({ body: `]},[ ${index}`, severityText: "INFO" });
  return records;
}

/** Exports one batch, and waits for the exporter's end alone. Returns the outcome and the body of the one request. */
async function sent<T>(format: BatchFormat<T>, items: readonly T[]): Promise<{ code: number; body: Buffer }> {
  const exporter = createSlicedExporter({ url: `${sink.url}/here`, headers: { "x-key": "k" } }, format);
  let code = -1;
  exporter.export([...items], (result) => (code = result.code));
  await exporter.shutdown();
  expect(sink.requests.map(({ path }) => path)).toEqual(["/here"]);
  const [request] = sink.requests;
  expect(request?.headers).toMatchObject({ "content-type": format.contentType, "x-key": "k" });
  return { code, body: request?.body ?? Buffer.alloc(0) };
}

/** The items of all lists in a JSON body. */
function itemsOf(body: Uint8Array, ...path: readonly [string, string, string]): unknown[] {
  let lists = [JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>];
  for (const key of path) lists = lists.flatMap((one) => one[key] as Record<string, unknown>[]);
  return lists;
}

/** Spans in a JSON body. */
function jsonSpansOf(body: Uint8Array): readonly unknown[] {
  return itemsOf(body, "resourceSpans", "scopeSpans", "spans");
}

// Texts of the spans have the brackets that lists are joined at.
it.each([
  ["http/protobuf", spansOf],
  ["http/json", jsonSpansOf],
] as const)("%s: a batch says what the official request for all of it says", async (protocol, itemsIn) => {
  const format = spanFormats[protocol];
  const spans = spansFrom(many);
  const whole = format.serializer.serializeRequest([...spans]) ?? new Uint8Array();
  const { code, body } = await sent(format, spans);
  expect(code).toBe(0);
  expect(itemsIn(body)).toHaveLength(many);
  expect(itemsIn(body)).toEqual(itemsIn(whole));
});

it("log records, over both protocols", async () => {
  const records = recordsFrom(many);
  const { body } = await sent(logFormats["http/protobuf"], records);
  expect(logsOf(body).map((one) => one["body"])).toEqual(records.map((one) => one.body));
  await sink.close();
  sink = await startOtlpSink();
  const json = await sent(logFormats["http/json"], records);
  const texts = itemsOf(json.body, "resourceLogs", "scopeLogs", "logRecords");
  expect(texts).toMatchObject(records.map((one) => ({ body: { stringValue: one.body } })));
});

it("lets other work go on while it encodes: never more than a slice in one turn", async () => {
  const { serializer, ...rest } = spanFormats["http/protobuf"];
  const encoded: number[] = [];
  let turn = 0;
  const turns: number[] = [];
  const count = (): void => void setImmediate(() => (turn++, sink.requests.length === 0 && count()));
  const counting: BatchFormat<ReadableSpan> = {
    ...rest,
    serializer: {
      ...serializer,
      serializeRequest(items) {
        encoded.push(items.length);
        turns.push(turn);
        return serializer.serializeRequest(items);
      },
    },
  };
  count();
  await sent(counting, spansFrom(512));
  expect(encoded.reduce((sum, one) => sum + one, 0)).toBe(512);
  expect(Math.max(...encoded)).toBeLessThanOrEqual(16);
  expect(new Set(turns).size).toBe(turns.length);
});

it("tells when a batch cannot be encoded, and when it is refused", async () => {
  const { serializer, ...rest } = spanFormats["http/protobuf"];
  const broken = createSlicedExporter(
    { url: sink.url, headers: {} },
    {
      ...rest,
      serializer: {
        ...serializer,
        serializeRequest() {
          throw new Error("not a span");
        },
      },
    },
  );
  const failure = await new Promise((done) => broken.export([...spansFrom(1)], done));
  expect(failure).toMatchObject({ code: 1, error: { message: "not a span" } });
  const refusing = await startOtlpSink(answers.refused);
  try {
    const exporter = createSlicedExporter({ url: refusing.url, headers: {} }, spanFormats["http/protobuf"]);
    const refused = await new Promise((done) => exporter.export([...spansFrom(40)], done));
    expect(refused).toMatchObject({ code: 1, error: { code: 401 } });
  } finally {
    await refusing.close();
  }
});
