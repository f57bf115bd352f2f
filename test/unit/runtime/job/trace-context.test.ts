import { describe, expect, it } from "vitest";
import { formatTraceparent, parseTraceContext } from "../../../../runtime/job/trace-context.ts";
import { processorTime } from "../../../support/processor-time.ts";

const traceId = "12345678901234567890123456789012";
const spanId = "1234567890123456";
const good = `00-${traceId}-${spanId}-01`;

describe("traceparent", () => {
  it.each<[name: string, header: unknown, flags: number]>([
    ["as it should be", good, 1],
    ["not sampled", `00-${traceId}-${spanId}-00`, 0],
    ["random", `00-${traceId}-${spanId}-03`, 3],
    ["unknown flags are cleared", `00-${traceId}-${spanId}-ff`, 3],
    ["white space around it", ` \t${good} `, 1],
    ["a later version", `cc-${traceId}-${spanId}-01`, 1],
    ["a later version with more", `cc-${traceId}-${spanId}-01-what-the-future-will-be-like`, 1],
    ["a later version with an empty end", `cc-${traceId}-${spanId}-01-`, 1],
  ])("%s", (_, header, flags) => {
    expect(parseTraceContext(header)).toEqual({ traceId, spanId, flags, tracestate: undefined });
  });

  it.each<[name: string, header: unknown]>([
    ["not there", undefined],
    ["empty", ""],
    ["no text", 7],
    ["a list", [good]],
    ["two headers, as Node joins them", `${good}, ${good}`],
    ["version 00 with more", `${good}-what-the-future-will-be-like`],
    ["version 00 with an empty end", `${good}-`],
    ["a later version without its dash", `cc-${traceId}-${spanId}-01.what`],
    ["version ff", `ff-${traceId}-${spanId}-01`],
    ["version too short", `0-${traceId}-${spanId}-01`],
    ["version too long", `000-${traceId}-${spanId}-01`],
    ["version not hexadecimal", `.0-${traceId}-${spanId}-01`],
    ["upper case version", `FF-${traceId}-${spanId}-01`],
    ["trace id of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["trace id in upper case", `00-A${traceId.slice(1)}-${spanId}-01`],
    ["trace id not hexadecimal", `00-.${traceId.slice(1)}-${spanId}-01`],
    ["trace id too long", `00-${traceId}0-${spanId}-01`],
    ["trace id too short", `00-${traceId.slice(1)}-${spanId}-01`],
    ["parent of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["parent too long", `00-${traceId}-${spanId}0-01`],
    ["parent too short", `00-${traceId}-${spanId.slice(1)}-01`],
    ["flags not hexadecimal", `00-${traceId}-${spanId}-.0`],
    ["flags too long", `00-${traceId}-${spanId}-001`],
    ["flags too short", `00-${traceId}-${spanId}-1`],
    ["flags in upper case", `00-${traceId}-${spanId}-0A`],
    ["a line break behind", `${good}\n`],
  ])("refuses: %s", (_, header) => {
    expect(parseTraceContext(header, "a=1")).toBeUndefined();
  });

  it("is written in version 00", () => {
    const context = parseTraceContext(`cc-${traceId}-${spanId}-01-more`);
    expect(context && formatTraceparent(context)).toBe(good);
    expect(formatTraceparent({ traceId, spanId, flags: 0 })).toBe(`00-${traceId}-${spanId}-00`);
  });
});

describe("tracestate", () => {
  const state = (header: unknown): string | undefined => parseTraceContext(good, header)?.tracestate;
  const members = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}=1`).join(",");

  it.each<[header: unknown, expected: string | undefined]>([
    ["foo=1,bar=2", "foo=1,bar=2"],
    [["foo=1,bar=2", "rojo=1"], "foo=1,bar=2,rojo=1"],
    [" foo=1 \t, \tbar=2 ", "foo=1,bar=2"],
    ["foo=1,,bar=2,", "foo=1,bar=2"],
    ["", undefined],
    [undefined, undefined],
    [7, undefined],
    ["foo@tenant=1", "foo@tenant=1"],
    ["0a@t=1", "0a@t=1"],
    [`${"a".repeat(256)}=1`, `${"a".repeat(256)}=1`],
    [`${"a".repeat(241)}@${"v".repeat(14)}=1`, `${"a".repeat(241)}@${"v".repeat(14)}=1`],
    ["a=b c!", "a=b c!"],
    ["_-*/a=1", undefined],
    ["a_-*/=1", "a_-*/=1"],
    [members(32), members(32)],
    [members(33), undefined],
    ["foo=1,foo=1", undefined],
    ["foo=1,foo=2", undefined],
    ["foo", undefined],
    ["=1", undefined],
    ["foo =1", undefined],
    ["FOO=1", undefined],
    ["foo.bar=1", undefined],
    ["foo@=1", undefined],
    ["@foo=1", undefined],
    ["foo@@bar=1", undefined],
    ["foo@bar@baz=1", undefined],
    ["0a=1", undefined],
    [`${"z".repeat(257)}=1`, undefined],
    [`${"t".repeat(242)}@v=1`, undefined],
    [`t@${"v".repeat(15)}=1`, undefined],
    ["foo=bar=baz", undefined],
    ["foo=", undefined],
    [`foo=${"v".repeat(257)}`, undefined],
    ["foo=\u0001", undefined],
    ["foo=ü", undefined],
    ["foo=1,bar=\r\nX: y", undefined],
  ])("%j", (header, expected) => {
    expect(state(header)).toBe(expected);
  });

  it("loses its long members first when it is too long, then the last", () => {
    const long = `long=${"v".repeat(200)}`;
    const rest = [..."abcdefghij"].map((name) => `${name}=${"v".repeat(50)}`);
    expect(state([long, ...rest].join(","))).toBe(rest.slice(0, 9).join(","));
  });

  it("does not touch the parent when it is bad", () => {
    expect(parseTraceContext(good, "foo=1,foo=2")).toEqual({ traceId, spanId, flags: 1, tracestate: undefined });
  });
});

it("long texts cost one pass", () => {
  const before = processorTime();
  const blanks = " ".repeat(50_000);
  for (const text of [`0${blanks}0`, blanks, `${good}-${blanks}\n`]) expect(parseTraceContext(text)).toBeUndefined();
  for (const text of [`a=b${blanks}c`, blanks, `a=b${blanks}\n`])
    expect(parseTraceContext(good, text)).toMatchObject({ traceId, tracestate: undefined });
  expect(processorTime() - before).toBeLessThan(1000);
});
