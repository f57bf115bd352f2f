import { describe, expect, test } from "vitest";
import type { TypeModel } from "../../../../../plugin/model/type.ts";
import { reportProblems } from "../../../../../runtime/contract/validation/report/report.ts";
import { loadField } from "../../../plugin/emit/load-tool.ts";
import { referee } from "../../../plugin/emit/referee.ts";

/** Verdicts of the compiled validator, the report and ajv on one value; they must be the same. */
function accepts(type: TypeModel, value: unknown): boolean {
  const tool = loadField(type);
  const schema = tool.definition.request?.schema ?? {};
  const wire = { value };
  const compiled = tool.isRequest(wire);
  expect({ report: reportProblems(schema, wire).length === 0, ajv: referee(schema)(wire) }).toEqual({
    report: compiled,
    ajv: compiled,
  });
  return compiled;
}

const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f466}";

describe("lengths count Unicode code points", () => {
  test.each([
    ["\u{1f600}\u{1f600}\u{1f600}", 3, true],
    ["\u{1f600}\u{1f600}\u{1f600}\u{1f600}", 3, false],
    [family, 5, true],
    [family, 4, false],
    ["e\u0301", 2, true],
    ["e\u0301", 1, false],
    ["\ud83d\ud83d\ude00", 2, true],
    ["\ude00\ud83d", 1, false],
  ])("%j fits maxLength %i: %j", (text, maxLength, expected) => {
    expect(accepts({ kind: "string", maxLength }, text)).toBe(expected);
  });

  test("minLength as well", () => {
    expect(accepts({ kind: "string", minLength: 2 }, "\u{1f600}")).toBe(false);
    expect(accepts({ kind: "string", minLength: 1 }, "\u{1f600}")).toBe(true);
  });
});

describe("integers end where JSON numbers stop telling them apart", () => {
  const largest = Number.MAX_SAFE_INTEGER;
  test.each(["integer", "int64"] as const)("%s", (integer) => {
    const type: TypeModel = { kind: "number", integer };
    expect([largest, -largest, largest + 1, -largest - 1, 1e300].map((value) => accepts(type, value))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("uint64, uint32, int32", () => {
    const within = (integer: "uint64" | "uint32" | "int32", ...values: number[]): readonly boolean[] =>
      values.map((value) => accepts({ kind: "number", integer }, value));
    expect(within("uint64", 0, largest, -1, largest + 1)).toEqual([true, true, false, false]);
    expect(within("uint32", 0, 2 ** 32 - 1, -1, 2 ** 32)).toEqual([true, true, false, false]);
    expect(within("int32", -(2 ** 31), 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 31, 0.5)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("an author's wider bound does not widen them", () => {
    expect(accepts({ kind: "number", integer: "integer", maximum: 1e20 }, largest + 1)).toBe(false);
    expect(accepts({ kind: "number", maximum: 1e20 }, largest + 1)).toBe(true);
  });
});
