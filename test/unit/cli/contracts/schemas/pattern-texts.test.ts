import { expect, test } from "vitest";
import { patternTexts } from "../../../../../cli/contracts/schemas/pattern-texts.ts";
import { processorTime } from "../../../../support/processor-time.ts";
import { base64Pattern, bigIntPattern } from "../../../../../plugin/emit/schema/scalar-schema.ts";

test.each([
  "^[a-z]+$",
  "^(?:foo|bar|baz)-\\d{2,4}$",
  "^\\p{Lu}\\p{Ll}*$",
  "^id-(?:0|[1-9]\\d*)$",
  "^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$",
  "^[^/]+/[^/]+$",
  "^\\u{1F600}+$",
  "[/]",
  "^a{300}$",
  "^(?!x)[a-z]{3}$",
  "^(?:(?!--)[\\s\\S])*$",
  "",
  base64Pattern,
  bigIntPattern,
])("/%s/ has texts, all of which it matches", (pattern) => {
  const texts = patternTexts(pattern);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => !new RegExp(pattern, "u").test(text))).toEqual([]);
});

test("a character that a pattern writes as a number is one that its texts have; one above Unicode is none", () => {
  expect(patternTexts("^\\u{1D11E}\\u00de$")).toEqual(["\u{1d11e}\u00de"]);
  expect(patternTexts("^[\\\\u{110000}]$").toSorted()).toEqual(["0", "1", "\\"]);
});

test("the texts repeat a part up to three times, and as often as is asked", () => {
  expect(patternTexts("^a*$")).toEqual(["", "a", "aa", "aaa"]);
  expect(patternTexts("^a*$", [9])).toEqual(["", "a", "aa", "aaa", "a".repeat(9)]);
});

test("several choices and lengths appear", () => {
  const texts = patternTexts("^(?:foo|bar)-\\d+$");
  expect(texts.some((text) => text.startsWith("foo"))).toBe(true);
  expect(texts.some((text) => text.startsWith("bar"))).toBe(true);
  expect(new Set(texts.map((text) => text.length)).size).toBeGreaterThan(1);
});

test.each([
  // Patterns that no text can match, that need another text twice, and whose texts are too long.
  ["(", 0],
  ["\\p{Nothing}", 0],
  ["^(a)\\1{400}b$", 0],
  ["^(?:(?:a{1000}){1000}){1000}$", 0],
  // Patterns that look around, and one whose texts all have 5,000 letters.
  ["^(?=a)[ab]{2}$", 2],
  ["^(?=.*z)[a-z]{3}$", 2],
  ["^(?:a{100}){50}$", 1],
])("/%s/ gives %i texts, soon", (pattern, count) => {
  const began = processorTime();
  const texts = patternTexts(pattern);
  // The longest takes 0.2 s.
  expect(processorTime() - began).toBeLessThan(2000);
  expect(texts).toHaveLength(count);
  for (const text of texts) expect(text).toMatch(new RegExp(pattern, "u"));
});
