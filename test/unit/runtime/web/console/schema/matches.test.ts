import { expect, test } from "vitest";
import { fitOf } from "../../../../../../runtime/web/console/schema/matches.ts";
import type { Schema } from "../../../../../../runtime/web/console/schema/schema.ts";

const circle: Schema = {
  type: "object",
  properties: { kind: { const: "circle" }, radius: { type: "number" } },
  required: ["kind", "radius"],
};
const fits = (value: Parameters<typeof fitOf>[0], schema = circle): number => fitOf(value, schema, schema);

test("an incomplete value of a kind, or one with a wrong field, is still of the kind", () => {
  expect(fits({ kind: "circle" })).toBeGreaterThan(0);
  expect(fits({ kind: "circle", radius: "long", side: 1 })).toBeGreaterThan(0);
  // Without a kind it fits less, and may be of any.
  expect(fits({ radius: 1 })).toBeLessThan(0);
  expect(fits({ radius: 1 })).toBeGreaterThan(-Infinity);
});

test("an object or a list of another kind is of none", () => {
  expect([fits({ kind: "hexagon", radius: 1 }), fits([1]), fits({}, { type: "null" })]).toEqual([
    -Infinity,
    -Infinity,
    -Infinity,
  ]);
  expect([fits({}, { const: "none" }), fits([1], { enum: ["none", 7] })]).toEqual([-Infinity, -Infinity]);
});

test("a text may be the beginning of a number, and nothing may become anything", () => {
  expect([fits("1.", { type: "number" }), fits(null), fits("x", { const: "none" })]).toEqual([-1, -1, -1]);
});
