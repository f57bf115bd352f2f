import { expect, it } from "vitest";
import { encodeCommon, spanEncoder } from "../../../../../runtime/telemetry/sdk/encode-spans.ts";
import { createSpanIds } from "../../../../../runtime/telemetry/sdk/span-ids.ts";
import { Span } from "../../../../../runtime/telemetry/sdk/span.ts";
import type { AttributeValue, SpanStart } from "../../../../../runtime/telemetry/sdk/span.ts";
import { decodeOtlp, protocDecode, resourceOf, spansOf } from "../../../../support/otlp-decode.ts";

const encode = spanEncoder({ resource: { "service.name": "s".repeat(300) }, name: "tenon", version: "1" });

const internal = encodeCommon({ kind: "internal" });

function spanOf(attributes: Readonly<Record<string, AttributeValue>>, start: Partial<SpanStart> = {}): Span {
  const span = new Span({ ids: createSpanIds(), ended: () => {} }, { name: "n", common: internal, ...start });
  for (const [name, value] of Object.entries(attributes)) span.set(name, value);
  span.end();
  return span;
}

it("texts, numbers and lists come back as they were", () => {
  const texts = ["", "a", "ü", "€".repeat(200), "𝄞", "\0", "a".repeat(127), "a".repeat(128), "b".repeat(8192)];
  const whole = [0, 1, -1, 127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 40), Number.MAX_SAFE_INTEGER];
  const broken = [0.5, -1e300, 2 ** 64, Number.POSITIVE_INFINITY];
  const all = [...texts, ...whole, ...broken, true, false];
  const span = spanOf(Object.fromEntries(all.map((value, index) => [`k${index}`, value])));
  const [decoded] = spansOf(encode([span]));
  const expected = all.map((value) => (whole.includes(value as number) ? String(value) : value));
  expect(Object.values(decoded?.attributes ?? {})).toEqual(expected);
  const lists = spanOf({ list: ["x", "y".repeat(200)], numbers: [1, -2], none: [] });
  const body = JSON.stringify(decodeOtlp("traces", encode([lists])));
  for (const part of ['{"stringValue":"x"}', "y".repeat(200), '{"intValue":"-2"}']) expect(body).toContain(part);
});

it("a longer text is cut, and half a character does not break a message", () => {
  const [decoded] = spansOf(encode([spanOf({ long: "x".repeat(9000), half: "a\ud800b" })]));
  expect(decoded?.attributes).toEqual({ long: "x".repeat(8192), half: "a\ufffdb" });
});

it("ids, parent, kind, status, events, common attributes and the clock's time", () => {
  const parent = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    flags: 3,
    tracestate: "v=1",
  };
  const common = encodeCommon({ kind: "consumer", attributes: { tool: "t" } });
  const before = BigInt(Date.now() - 1000) * 1_000_000n;
  const span = new Span(
    { ids: createSpanIds(), ended: () => {} },
    { name: "näme", parent, isRemote: true, spanId: "00f067aa0ba902b7", common },
  );
  span.addEvent("exception", { "exception.type": "E" });
  span.failed("bad").end();
  const body = encode([span]);
  expect(spansOf(body)[0]).toMatchObject({
    traceId: parent.traceId,
    spanId: "00f067aa0ba902b7",
    parentSpanId: parent.spanId,
    traceState: "v=1",
    name: "näme",
    kind: "SPAN_KIND_CONSUMER",
    status: "STATUS_CODE_ERROR",
    attributes: { tool: "t" },
    events: [{ name: "exception", attributes: { "exception.type": "E" } }],
  });
  const [start = 0n, end = 0n] = [...JSON.stringify(decodeOtlp("traces", body)).matchAll(/UnixNano":"(\d+)"/g)]
    .map(([, digits]) => BigInt(digits ?? ""))
    .toSorted((a, b) => Number(a - b));
  expect(start > before && end >= start && end < before + 60_000_000_000n).toBe(true);
});

it("thousands of spans in one body, also for protoc", () => {
  const spans = Array.from({ length: 1000 }, (_, index) => spanOf({ index, text: "z".repeat(index % 400) }));
  const body = encode(spans);
  const decoded = spansOf(body);
  expect(decoded.map(({ spanId }) => spanId)).toEqual(spans.map(({ spanId }) => spanId));
  expect(new Set(decoded.map(({ traceId }) => traceId)).size).toBe(1000);
  expect(resourceOf("traces", body)).toEqual({ "service.name": "s".repeat(300) });
  expect(protocDecode("traces", encode(spans.slice(0, 50))) ?? "resource_spans").toContain("resource_spans");
});
