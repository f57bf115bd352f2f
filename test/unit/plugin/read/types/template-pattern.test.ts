import fc from "fast-check";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { createPatternJudge } from "../../../../../plugin/read/base/judge-pattern.ts";
import { templatePattern, type TemplatePart } from "../../../../../plugin/read/types/template-pattern.ts";
import { processorTime } from "../../../../support/processor-time.ts";

const any: TemplatePart = { kind: "any" };
const number: TemplatePart = { kind: "numeric" };
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
      case "numeric":
        return "[+-]?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?";
      case "bigint":
        return "(?:0|-?[1-9][0-9]*)";
      case "number":
        throw new Error("A number as JavaScript writes it is a whole key, not a part of a template.");
      case "other":
        return part.pattern;
    }
  });
  return `^${texts.join("")}$`;
}

/** The texts that the compiler accepts for a template literal type. */
function acceptedByCompiler(type: string, texts: readonly string[]): readonly string[] {
  const source = texts.map((text, index) => `const t${index}: ${type} = ${JSON.stringify(text)};`).join("\n");
  const options: ts.CompilerOptions = { noLib: true, types: [], strict: true };
  const file = ts.createSourceFile("texts.ts", source, ts.ScriptTarget.ESNext);
  const host = { ...ts.createCompilerHost(options), getSourceFile: () => file };
  const errors = ts.createProgram(["texts.ts"], options, host).getSemanticDiagnostics(file);
  const lines = new Set(errors.map(({ start = 0 }) => file.getLineAndCharacterOfPosition(start).line));
  return texts.filter((_, line) => !lines.has(line));
}

/** Texts of numbers that the compiler accepts and the pattern leaves out. */
const leftOut = ["5.", "5.e1", "0x1F", "0b1", "0o7", " ", " 1", "1\n"];

describe("patterns of templates", () => {
  test.each<[string, string, string, readonly TemplatePart[]]>([
    ["${number}", "", "", [number]],
    ["a${number}b", "a", "b", [text("a"), number, text("b")]],
    ["${number}:${number}:${number}", "09:", ":05", [number, text(":"), number, text(":"), number]],
    ["${string}:${number}", "at:", "", [any, text(":"), number]],
  ])("`%s` holds what the compiler accepts", (type, before, after, template) => {
    const numbers = "0 5 05 00 1.50 0.5 .5 1e3 1E3 1E+03 1e-7 12e05 +1 +.5e-3 -0 -1 -05 -.5 -1.5E3".split(" ");
    const refused = ["", ..."- + . e1 1e --1 1_000 1n NaN Infinity 1,5 -0x1 x \u0661".split(" ")];
    const texts = [...numbers, ...refused, ...leftOut].map((one) => before + one + after);
    const pattern = new RegExp(templatePattern(template).pattern, "u");
    const accepted = acceptedByCompiler(`\`${type}\``, texts);
    const others = new Set(leftOut.map((one) => before + one + after));
    expect(texts.filter((one) => pattern.test(one))).toEqual(accepted.filter((one) => !others.has(one)));
    expect(accepted.filter((one) => others.has(one))).toEqual([...others]);
  });

  test.each([
    ["${string}/${string}", [any, text("/"), any], "^[^\\/]*\\/[\\s\\S]*$"],
    ["${string}ab${string}c", [any, text("ab"), any, text("c")], "^(?:(?!ab)[\\s\\S])*ab[\\s\\S]*c$"],
    ["${string}${number}", [any, number], "^[\\s\\S]*[0-9]$"],
    ["${number}${string}", [number, any], "^[+-]?\\.?[0-9][\\s\\S]*$"],
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
      arbitrary: fc
        .constantFrom("a", "ab", "aa", "-", "^", "]", ".", "\\", "/", "1", "e", "E", "+", "\u{1f600}")
        .map(text),
    },
    { weight: 2, arbitrary: fc.constantFrom(number, bigint) },
    { weight: 1, arbitrary: fc.constantFrom(upper, capital) },
  );
  const letters = fc.constantFrom(..."abA-^].\\/015eE+\u{1f600}\n");
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
