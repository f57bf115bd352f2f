import { expect, test } from "vitest";
import { openSide } from "../../../../../cli/contracts/schemas/side.ts";
import { openValues } from "../../../../../cli/contracts/schemas/values.ts";
import type { JsonSchema } from "../../../../../runtime/contract/contract.ts";

/** Values of a schema, which are made from its root. */
function valuesOf(schema: object): readonly unknown[] {
  const side = openSide(schema as JsonSchema);
  return openValues(side)(side.root);
}

test.each([
  [{ type: "string" }],
  [{ type: "number" }],
  [{ type: "string", format: "email", minLength: 8 }],
  [{ anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] }],
  [{ type: "array", items: { type: "string" } }],
  [{ type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a"] }],
])("a schema has some values, eight at most, each of them valid and another: %j", (schema) => {
  const values = valuesOf(schema);
  expect(values.length).toBeGreaterThan(1);
  expect(values.length).toBeLessThanOrEqual(8);
  expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(values.length);
  const side = openSide(schema as JsonSchema);
  expect(values.filter((value) => !side.accepts(side.root, value, true))).toEqual([]);
});

test("values begin with examples and the default, and of a choice each alternative has its turn", () => {
  expect(valuesOf({ type: "number", examples: [70, 71, 72], default: 80 }).slice(0, 3)).toEqual([70, 71, 80]);
  const kinds = valuesOf({ anyOf: [{ type: "string" }, { type: "number" }] }).map((value) => typeof value);
  expect(kinds.slice(0, 4)).toEqual(["string", "number", "string", "number"]);
});

test.each(["string", "number"])(
  "an array of more different values of the type %s than a schema has gets others",
  (type) => {
    const [first] = valuesOf({ type: "array", items: { type }, uniqueItems: true, minItems: 20 });
    expect(new Set(first as readonly unknown[]).size).toBe(20);
  },
);
