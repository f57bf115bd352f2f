import { expect, test } from "vitest";
import { readRequest } from "../../../../cli/call/read-request.ts";

test.each([
  [[], {}],
  [['{"a": 1}'], { a: 1 }],
  [["a=1", "b=2"], { a: 1, b: 2 }],
  [["name=Ada Lovelace", "loud=true", "none=null"], { name: "Ada Lovelace", loud: true, none: null }],
  [['zip="01"', "code=01", "empty="], { zip: "01", code: "01", empty: "" }],
  [["ids=P1", "ids=P2"], { ids: ["P1", "P2"] }],
  [['where={"x": [1]}', "url=https://example.org/?a=b"], { where: { x: [1] }, url: "https://example.org/?a=b" }],
])("%j", (words, request) => {
  expect(readRequest(words)).toEqual(request);
});

test.each([
  [["a=1", "b"], /"b" is not such a word/],
  [["{a: 1}"], /The request is not JSON/],
  [["@nowhere.json"], /There is no file nowhere.json/],
])("%j is refused", (words, message) => {
  expect(() => readRequest(words)).toThrow(message);
});
