import { expect, test } from "vitest";
import { describeLimits, describeType } from "../../../../../../runtime/web/console/schema/describe.ts";

test("the generated pattern of bytes is no help, an author's pattern is", () => {
  const pattern = "^[A-Z]+$";
  expect(describeLimits({ type: "string", contentEncoding: "base64", pattern })).toEqual([]);
  expect(describeLimits({ type: "string", pattern })).toEqual(["/^[A-Z]+$/"]);
});

test("bounds that the type has anyway are no help, an author's are", () => {
  const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;
  expect(describeLimits({ type: "integer", format: "int64", minimum, maximum })).toEqual([]);
  expect(describeLimits({ type: "integer", format: "uint32", minimum: 1, maximum: 4_294_967_295 })).toEqual(["≥ 1"]);
  const prefixItems = [{ type: "number" }, { type: "number" }];
  expect(describeLimits({ type: "array", prefixItems, minItems: 2, items: false })).toEqual([]);
  expect(describeLimits({ type: "array", prefixItems, minItems: 1 })).toEqual(["≥ 1 items"]);
  expect(describeLimits({ type: "array", minItems: 2 })).toEqual(["≥ 2 items"]);
});

test("a title of a member of a union, or of an item, takes precedence over its name; a title of a field is none of its type", () => {
  const $defs = {
    Circle: { type: "object", title: "Round one" },
    Square: { type: "object" },
    Shape: { title: "A shape", anyOf: [{ $ref: "#/$defs/Circle" }, { $ref: "#/$defs/Square" }] },
  };
  const said = (schema: object): string => describeType(schema, { $defs });
  const polygon = { title: "Polygon", anyOf: [{ type: "object" }, { type: "object", properties: {} }] };
  expect(said({ $ref: "#/$defs/Shape" })).toBe("Round one or Square");
  expect(said({ title: "Label", anyOf: [polygon, { $ref: "#/$defs/Square" }] })).toBe("Polygon or Square");
  expect(said({ items: polygon, type: "array" })).toBe("list of Polygon");
  expect(said({ items: { $ref: "#/$defs/Shape" }, type: "array" })).toBe("list of A shape");
  expect(said({ anyOf: [{ type: "string", title: "As words" }, { type: "number" }] })).toBe("As words or number");
  expect(said({ title: "Label", type: ["string", "null"] })).toBe("text or null");
  expect(said({ anyOf: [{ const: "a", title: "First" }, { type: "null" }] })).toBe('"a" or null');
});
