import { expect, test } from "vitest";
import { patternTexts } from "../../../../../cli/contracts/schemas/pattern-texts.ts";
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

test("several choices and lengths appear", () => {
  const texts = patternTexts("^(?:foo|bar)-\\d+$");
  expect(texts.some((text) => text.startsWith("foo"))).toBe(true);
  expect(texts.some((text) => text.startsWith("bar"))).toBe(true);
  expect(new Set(texts.map((text) => text.length)).size).toBeGreaterThan(1);
});

test.each(["(", "^(a)\\1{400}b$", "^(?:(?:a{1000}){1000}){1000}$", "\\p{Nothing}"])(
  "/%s/ gives few or none, soon",
  (pattern) => {
    expect(patternTexts(pattern).every((text) => new RegExp(pattern, "u").test(text))).toBe(true);
  },
);
