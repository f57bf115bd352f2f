import { expect, test } from "vitest";
import { createJsonLength } from "../../../../../plugin/emit/schema/json-length.ts";
import type { JsonValue } from "../../../../../runtime/contract/contract.ts";

test("the length of a value is that of its JSON, also where one object is in several places", () => {
  const shared = { type: "string", description: 'a "text" with\nlines, ä and \u0000' };
  const values: readonly JsonValue[] = [
    null,
    true,
    -1.5e30,
    "ü\n",
    [],
    {},
    [1, [], {}],
    { a: shared, b: [shared, shared, null], 'c"': { d: false } },
  ];
  const lengthOf = createJsonLength();
  expect(values.map((value) => lengthOf(value))).toEqual(values.map((value) => JSON.stringify(value).length));
});
