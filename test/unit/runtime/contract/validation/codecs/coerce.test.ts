import { describe, expect, test } from "vitest";
import { fullSchema } from "../../../../../../plugin/emit/schema/json-schema.ts";
import type { TypeModel } from "../../../../../../plugin/model/type.ts";
import { coerceValue } from "../../../../../../runtime/contract/validation/codecs/coerce.ts";

const string: TypeModel = { kind: "string" };
const number: TypeModel = { kind: "number" };
const integer: TypeModel = { kind: "number", integer: "int32" };
const boolean: TypeModel = { kind: "boolean" };
const nothing: TypeModel = { kind: "literal", value: null };
const text = (value: string): TypeModel => ({ kind: "literal", value });

function coerced(type: TypeModel, value: unknown, definitions: Record<string, TypeModel> = {}): unknown {
  return coerceValue(fullSchema(type, definitions, "input"), value);
}

describe("coerceValue", () => {
  test.each<[TypeModel, unknown, unknown]>([
    [number, "12", 12],
    [number, " -1.5e2 ", -150],
    [integer, "12", 12],
    [integer, "1.5", "1.5"],
    [integer, "1.0", 1],
    [number, "", ""],
    [number, "0x10", "0x10"],
    [number, "1e999", "1e999"],
    [number, "Infinity", "Infinity"],
    [number, "012", "012"],
    [number, true, true],
    [boolean, "true", true],
    [boolean, " false", false],
    [boolean, "TRUE", "TRUE"],
    [boolean, "1", "1"],
    [string, 12, 12],
    [string, "12", "12"],
    [{ kind: "union", members: [string, number] }, "12", "12"],
    [{ kind: "union", members: [number, nothing] }, "12", 12],
    [{ kind: "union", members: [number, nothing] }, null, null],
    [{ kind: "union", members: [number, nothing] }, "null", "null"],
    [{ kind: "union", members: [number, text("auto")] }, "12", 12],
    [{ kind: "union", members: [number, text("auto")] }, "auto", "auto"],
    [{ kind: "union", members: [number, text("auto")] }, "other", "other"],
    [{ kind: "union", members: [number, text("12")] }, "12", "12"],
    [{ kind: "union", members: [{ kind: "literal", value: 1 }, text("all")] }, "1", 1],
    [{ kind: "union", members: [boolean, text("only")] }, "true", true],
    [{ kind: "union", members: [{ kind: "date" }, number] }, "12", 12],
    [{ kind: "union", members: [{ kind: "array", items: number }, text("all")] }, "3", [3]],
    [{ kind: "union", members: [{ kind: "array", items: number }, text("all")] }, "all", "all"],
    [{ kind: "array", items: number }, "12", [12]],
    [{ kind: "array", items: number }, 12, [12]],
    [{ kind: "array", items: number }, null, null],
    [{ kind: "array", items: number }, ["1", 2, "x"], [1, 2, "x"]],
    [{ kind: "union", members: [{ kind: "array", items: number }, nothing] }, "1", [1]],
    [{ kind: "set", items: boolean }, "true", [true]],
    [
      { kind: "tuple", elements: [{ type: number }, { type: string }], rest: boolean },
      ["1", "2", "true"],
      [1, "2", true],
    ],
    [{ kind: "map", values: number }, { a: "1" }, { a: 1 }],
    [
      {
        kind: "object",
        fields: [],
        patterns: [{ pattern: "^n-", text: "`n-${string}`", type: number }],
        index: boolean,
      },
      { "n-a": "1", b: "true" },
      { "n-a": 1, b: true },
    ],
    [
      {
        kind: "union",
        members: [
          { kind: "array", items: number },
          { kind: "map", values: number },
        ],
      },
      { a: "1" },
      { a: 1 },
    ],
    [{ kind: "unknown" }, "12", "12"],
  ])("%j reads %j as %j", (type, value, expected) => expect(coerced(type, value)).toEqual(expected));

  test("goes into objects and named types, leaves unknown keys and the given value alone", () => {
    const node: TypeModel = {
      kind: "object",
      fields: [
        { key: "value", type: number },
        { key: "next", type: { kind: "ref", name: "Node" }, optional: true },
      ],
    };
    const wire = { value: "1", next: { value: "2", other: "3" } };
    expect(coerced({ kind: "ref", name: "Node" }, wire, { Node: node })).toEqual({
      value: 1,
      next: { value: 2, other: "3" },
    });
    expect(wire).toEqual({ value: "1", next: { value: "2", other: "3" } });
  });

  test("copies a `__proto__` key as a key", () => {
    const result = coerced({ kind: "map", values: number }, JSON.parse('{"__proto__":"1"}')) as object;
    expect(Object.keys(result)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  test("chooses the member of a union by its fixed field, and guesses nothing", () => {
    const member = (kind: string, type: TypeModel): TypeModel => ({
      kind: "object",
      fields: [
        { key: "kind", type: { kind: "literal", value: kind } },
        { key: "x", type },
      ],
    });
    const union: TypeModel = { kind: "union", members: [member("a", number), member("b", string)] };
    expect(coerced(union, { kind: "a", x: "1" })).toEqual({ kind: "a", x: 1 });
    expect(coerced(union, { kind: "b", x: "1" })).toEqual({ kind: "b", x: "1" });
    expect(coerced(union, { x: "1" })).toEqual({ x: "1" });
  });
});
