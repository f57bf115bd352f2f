import { expect, test } from "vitest";
import { parseJsonBody } from "../../../../../runtime/fronts/http/parse-json.ts";

const parse = (text: string): unknown => parseJsonBody(Buffer.from(text));
/** A text in so many lists, one in the other. */
const nested = (depth: number, text: string): string => `${"[".repeat(depth)}${text}${"]".repeat(depth)}`;

test("what is in lists is checked as well, at any depth", () => {
  for (const depth of [0, 1, 5, 510]) {
    expect(() => parse(nested(depth, '{"__pr\\u006fto__":1}'))).toThrow('a key "__proto__", which is not allowed.');
    expect(() => parse(nested(depth, '{"constructor":{"prototype":1}}'))).toThrow('a key "constructor"');
    expect(() => parse(nested(depth, "1e999"))).toThrow("too large to be finite");
  }
});

test("a value is looked at once, so that the time of the check does not double with each list around it", () => {
  expect(parse(nested(200, '"\\u0061"'))).toEqual(JSON.parse(nested(200, '"a"')));
  expect(parse('{"constructor":{"a":1},"b":[null,false]}')).toEqual({ constructor: { a: 1 }, b: [null, false] });
});

test("512 lists may be in one another, and brackets in a text do not count", () => {
  expect(parse(nested(512, "1"))).toBeInstanceOf(Array);
  expect(() => parse(nested(513, "1"))).toThrow("nested deeper than 512");
  expect(parse(JSON.stringify(`"${nested(600, "")}\\`))).toBe(`"${nested(600, "")}\\`);
});
