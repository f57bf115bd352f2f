import { expect, test } from "vitest";
import {
  isMultiple,
  isUnique,
  isWithin,
  own,
  textLength,
} from "../../../../../runtime/contract/validation/json-value.ts";
import { candidatesOf, suggest } from "../../../../../runtime/contract/validation/report/suggest.ts";
import { processorTime } from "../../../../support/processor-time.ts";

test.each([
  ["", 0],
  ["a", 1],
  ["é", 1],
  ["😀", 1],
  ["a😀b", 3],
  ["😀😀", 2],
  ["\ud800", 1],
  ["\udc00", 1],
  ["\udc00\ud800", 2],
  ["\ud800\ud800\udc00", 2],
  ["\ud83d\ude00\ude00", 2],
])("%j has %i code points", (text, length) => {
  expect(textLength(text)).toBe(length);
  expect([...text]).toHaveLength(length);
  expect([isWithin(text, length), isWithin(text, length - 1)]).toEqual([true, false]);
});

test.each<[number, number, boolean]>([
  [4, 2, true],
  [5, 2, false],
  [0, 2, true],
  [-4, 2, true],
  [1.5, 0.5, true],
  [0.3, 0.1, false],
  [0.2, 0.1, true],
  [1e21, 1, false],
  [1e20, 1, true],
  [1e308, 1e-10, false],
])("%d is a multiple of %d: %s", (value, step, expected) => expect(isMultiple(value, step)).toBe(expected));

test.each<[unknown[], boolean]>([
  [[], true],
  [[1, "1", true, null, "true", "null"], true],
  [[1, 1.0], false],
  [[0, -0], false],
  [["a", "a"], false],
  [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    false,
  ],
  [[{ a: 1 }, { a: "1" }], true],
  [
    [
      [1, 2],
      [2, 1],
    ],
    true,
  ],
  [[[1], [1]], false],
  [['{"a":1}', { a: 1 }], true],
  [["[1]", [1]], true],
  [[{ constructor: {} }, { constructor: {} }], false],
  [["\ud800", "\udfff"], true],
])("%j is unique: %s", (values, expected) => expect(isUnique(values)).toBe(expected));

test("isUnique takes time linear in the number of structures", () => {
  const start = processorTime();
  expect(isUnique(Array.from({ length: 50_000 }, (_, index) => ({ index })))).toBe(true);
  expect(processorTime() - start).toBeLessThan(2000);
});

test("own sees no inherited key", () => {
  expect(own({}, "constructor")).toBeUndefined();
  expect(own({ constructor: 1 }, "constructor")).toBe(1);
  expect(own(JSON.parse('{"__proto__":2}') as object, "__proto__")).toBe(2);
});

test.each([
  ["numbr", ["number", "name"], "number"],
  ["isPrime", ["is_prime"], "is_prime"],
  ["xyz", ["number"], undefined],
  ["lable", ["label", "table"], "label"],
  ["a", ["b"], undefined],
  ["a", ["A"], "A"],
  ["", ["b"], undefined],
])("suggest(%j, %j) is %j", (text, candidates, expected) =>
  expect(suggest(text, candidatesOf(candidates))).toBe(expected),
);
