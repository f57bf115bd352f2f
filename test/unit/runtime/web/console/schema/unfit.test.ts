import { describe, expect, test } from "vitest";

// Imported by a name that the compiler does not follow, since types of browsers are not known here.
const path: string = "../../../../../../runtime/web/console/schema/unfit.ts";
const { unfitParts } = (await import(path)) as {
  unfitParts(value: unknown, schema: object, root: object, path: readonly unknown[]): ReadonlyMap<string, string>;
};

function unfit(value: unknown, schema: object): object {
  return Object.fromEntries(unfitParts(value, schema, schema, []));
}

const cake = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    count: { type: "integer", minimum: 1, maximum: 99 },
    gift: { type: "boolean" },
    size: { type: "string", enum: ["small", "large"] },
    mail: { type: "string", format: "email" },
  },
  required: ["name", "count", "gift", "size"],
};

describe("unfitParts()", () => {
  test("a value that fits has no problem, with and without its optional fields", () => {
    const value = { name: "Ann", count: 3, gift: false, size: "small" };
    expect([unfit(value, cake), unfit({ ...value, mail: "ann@example.org" }, cake)]).toEqual([{}, {}]);
  });

  test("each field has its own problem, also one that is missing", () => {
    expect(unfit({ name: "A", count: 1.5, size: "huge", mail: "ann" }, cake)).toEqual({
      "/name": "Expected ≥ 2 characters.",
      "/count": "Expected integer.",
      "/gift": "It is missing.",
      "/size": 'Expected "small" | "large".',
      "/mail": "Expected email.",
    });
    expect(unfit({ name: "Ann", count: "many", gift: "no", size: "small" }, cake)).toEqual({
      "/count": "Expected integer.",
      "/gift": "Expected boolean.",
    });
    expect(unfit({ name: "Ann", count: 100, gift: true, size: "small" }, cake)).toEqual({ "/count": "Expected ≤ 99." });
    // Several missing fields do not make the whole object one of another type.
    expect(Object.keys(unfit({}, cake))).toEqual(["/name", "/count", "/gift", "/size"]);
  });

  test.each([
    [null, { type: "string" }, "text"],
    ["x", { type: "object", properties: {} }, "object"],
    [[], { type: "object", properties: {} }, "object"],
    ["x", { type: "string", pattern: "^[0-9]+$" }, "/^[0-9]+$/"],
    [7, { type: "number", multipleOf: 5 }, "multiple of 5"],
    [[1, 1], { type: "array", items: { type: "integer" }, uniqueItems: true }, "no item twice"],
    [[], { type: "array", minItems: 1 }, "≥ 1 items"],
    ["", { type: "string", format: "date-time" }, "date-time"],
    ["nowhere", { type: "string", format: "uri" }, "uri"],
    [true, { anyOf: [{ type: "string" }, { type: "integer" }] }, "text or integer"],
  ])("the whole value %j for %j", (value, schema, expected) => {
    expect(unfit(value, schema)).toEqual({ "": `Expected ${expected}.` });
  });

  test("parts of lists, maps and unions, behind references", () => {
    const circle = {
      type: "object",
      properties: { kind: { const: "circle" }, radius: { type: "number", minimum: 0 } },
      required: ["kind", "radius"],
    };
    const square = {
      type: "object",
      properties: { kind: { const: "square" }, side: { type: "number" } },
      required: ["kind", "side"],
    };
    const root = {
      $defs: { Circle: circle, Square: square },
      type: "object",
      properties: {
        shapes: { type: "array", items: { anyOf: [{ $ref: "#/$defs/Circle" }, { $ref: "#/$defs/Square" }] } },
      },
      additionalProperties: { type: ["string", "null"], maxLength: 2 },
    };
    const value = { shapes: [{ kind: "circle", radius: -1 }, { kind: "square" }], "a/b": "long", c: null };
    expect(unfit(value, root)).toEqual({
      "/shapes/0/radius": "Expected ≥ 0.",
      "/shapes/1/side": "It is missing.",
      "/a~1b": "Expected ≤ 2 characters.",
    });
  });
});
