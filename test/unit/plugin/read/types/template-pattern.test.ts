import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPatternJudge } from "../../../../../plugin/read/base/judge-pattern.ts";
import { templatePattern, type TemplatePart } from "../../../../../plugin/read/types/template-pattern.ts";
import { processorTime } from "../../../../support/processor-time.ts";

const any: TemplatePart = { kind: "any" };
const number: TemplatePart = { kind: "number" };
const bigint: TemplatePart = { kind: "bigint" };
const upper: TemplatePart = { kind: "other", pattern: "\\P{Changes_When_Uppercased}*", empty: true };
const capital: TemplatePart = {
  kind: "other",
  pattern: "(?:\\P{Changes_When_Uppercased}[\\s\\S]*)?",
  empty: true,
};
const text = (of: string): TemplatePart => ({ kind: "text", text: of });

/** The pattern as one would write it without a thought of time. */
function plainPattern(parts: readonly TemplatePart[]): string {
  const texts = parts.map((part) => {
    switch (part.kind) {
      case "text":
        return part.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      case "any":
        return "[\\s\\S]*";
      case "number":
        return "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?";
      case "bigint":
        return "(?:0|-?[1-9][0-9]*)";
      default:
        return part.pattern;
    }
  });
  return `^${texts.join("")}$`;
}

describe("patterns of templates", () => {
  test.each([
    ["${string}/${string}", [any, text("/"), any], "^[^\\/]*\\/[\\s\\S]*$"],
    ["${string}ab${string}c", [any, text("ab"), any, text("c")], "^(?:(?!ab)[\\s\\S])*ab[\\s\\S]*c$"],
    ["${string}${number}", [any, number], "^[\\s\\S]*[0-9]$"],
    ["${number}${string}", [number, any], "^-?[0-9][\\s\\S]*$"],
    ["${string}${bigint}${string}", [any, bigint, any], "^[^0-9]*[0-9][\\s\\S]*$"],
    ["${string}${Uppercase<string>}${string}", [any, upper, any], "^[\\s\\S]*$"],
    ["${string}-${string}", [any, text("-"), any], "^[^-]*-[\\s\\S]*$"],
    ["${string}^${string}", [any, text("^"), any], "^[^\\^]*\\^[\\s\\S]*$"],
  ])("%s", (_, parts, expected) => {
    expect(templatePattern(parts)).toEqual({ pattern: expected, linear: true });
    expect(new RegExp(expected, "u").unicode).toBe(true);
  });

  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constant(any) },
    {
      weight: 3,
      arbitrary: fc.constantFrom("a", "ab", "aa", "-", "^", "]", ".", "\\", "/", "1", "e", "\u{1f600}").map(text),
    },
    { weight: 2, arbitrary: fc.constantFrom(number, bigint) },
    { weight: 1, arbitrary: fc.constantFrom(upper, capital) },
  );
  const letters = fc.constantFrom("a", "b", "A", "-", "^", "]", ".", "\\", "/", "0", "1", "5", "e", "\u{1f600}", "\n");
  const parts = fc.array(part, { minLength: 1, maxLength: 5 });

  test("hold the same texts as the plain ones", () => {
    let held = 0;
    fc.assert(
      fc.property(parts, fc.array(fc.array(letters, { maxLength: 8 }), { minLength: 40 }), (template, texts) => {
        const made = new RegExp(templatePattern(template).pattern, "u");
        const plain = new RegExp(plainPattern(template), "u");
        // Texts that nearly fit: what stands in the template, with letters between.
        const near = texts.map((fill) =>
          template.map((one, index) => (one.kind === "text" ? one.text : (fill[index] ?? "1"))).join(""),
        );
        for (const value of [...near, ...texts.map((fill) => fill.join(""))]) {
          if (plain.test(value)) held++;
          expect({ value, holds: made.test(value) }).toEqual({ value, holds: plain.test(value) });
        }
      }),
      { numRuns: 300 },
    );
    expect(held).toBeGreaterThan(300);
  });

  test("that are said to be linear are judged so", () => {
    const judge = createPatternJudge();
    fc.assert(
      fc.property(parts, (template) => {
        const { pattern, linear } = templatePattern(template);
        // Looking ahead is judged by trial, which takes a second each; the next test has those.
        fc.pre(linear && !pattern.includes("(?!"));
        expect([pattern, judge(pattern).status]).toEqual([pattern, "safe"]);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test("a mebibyte of what looks like a beginning takes little time", () => {
    const size = 2 ** 20;
    const template = new RegExp(templatePattern([any, text("ab"), any, text("aab"), any, text("c")]).pattern, "u");
    for (const unit of ["a", "ab", "aab", "ba", "c", "abc", "aaab"]) {
      const hostile = `${unit.repeat(size / unit.length)}!`;
      const start = processorTime();
      expect(template.test(hostile)).toBe(false);
      // Some milliseconds; a quadratic pattern takes hours.
      expect(processorTime() - start).toBeLessThan(2000);
    }
  });
});
