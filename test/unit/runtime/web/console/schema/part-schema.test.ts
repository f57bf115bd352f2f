import { expect, test } from "vitest";
import { partSchema } from "../../../../../../runtime/web/console/schema/part-schema.ts";
import type { Schema } from "../../../../../../runtime/web/console/schema/schema.ts";

const shape = (kind: string, title: string): Schema => ({
  type: "object",
  properties: { kind: { type: "string", const: kind }, size: { type: "number", title } },
});
const root: Schema = {
  $defs: {
    Shape: { anyOf: [shape("circle", "Radius"), { anyOf: [shape("square", "Side"), { $ref: "#/$defs/Shape" }] }] },
  },
};
const union: Schema = { $ref: "#/$defs/Shape" };

test("a part of a union has the schema of the member that its value is", () => {
  const titleOf = (value?: Record<string, string | number>): unknown => partSchema(union, "size", root, value).title;
  expect(titleOf({ kind: "square", size: 1 })).toBe("Side");
  expect(titleOf({ kind: "circle", size: 1 })).toBe("Radius");
  expect(titleOf()).toBe("Radius");
});

test("the parts of objects, tuples, lists and maps; an unknown one is empty", () => {
  const text = { type: "string" };
  expect(partSchema({ allOf: [shape("a", "A"), { properties: { b: text } }] }, "b", root)).toEqual(text);
  expect(partSchema({ prefixItems: [{}, text], items: false }, "1", root)).toEqual(text);
  expect(partSchema({ items: text }, "7", root)).toEqual(text);
  expect(partSchema({ additionalProperties: text }, "x", root)).toEqual(text);
  expect(partSchema({ additionalProperties: true }, "x", root)).toEqual({});
});
