import { expect, test } from "vitest";
import {
  acceptsAll,
  findDiscriminator,
  flattenUnion,
  isOptional,
  isRecursive,
  keyPatterns,
  numberBounds,
  requiredElements,
  rootType,
} from "../../../../../plugin/emit/facts/type-facts.ts";
import type { FieldModel, LiteralType, ObjectType, TypeModel } from "../../../../../plugin/model/type.ts";

const text: TypeModel = { kind: "string" };
const literal = (value: LiteralType["value"]): TypeModel => ({ kind: "literal", value });
const union = (...members: readonly TypeModel[]): TypeModel => ({ kind: "union", members });
const object = (fields: Readonly<Record<string, TypeModel>>, more: Partial<FieldModel> = {}): ObjectType => ({
  kind: "object",
  fields: Object.entries(fields).map(([key, type]) => ({ key, type, ...more })),
});

test("the bounds of a number are the narrower ones of its type and its author", () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(numberBounds({ kind: "number" })).toEqual({});
  expect(numberBounds({ kind: "number", minimum: 0 })).toEqual({ minimum: 0 });
  expect(numberBounds({ kind: "number", integer: "integer" })).toEqual({ minimum: -most, maximum: most });
  expect(numberBounds({ kind: "number", integer: "int64", maximum: 5 })).toEqual({ minimum: -most, maximum: 5 });
  expect(numberBounds({ kind: "number", integer: "int32", minimum: -3e9, maximum: 3e9 })).toEqual({
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
  });
  expect(numberBounds({ kind: "number", integer: "uint32", minimum: 1 })).toEqual({ minimum: 1, maximum: 4294967295 });
  expect(numberBounds({ kind: "number", integer: "uint64", minimum: -1 })).toEqual({ minimum: 0, maximum: most });
  const largest = 3.4028234663852886e38;
  expect(numberBounds({ kind: "number", float: true })).toEqual({ minimum: -largest, maximum: largest });
});

test("a discriminator is required, and has other literals in each member", () => {
  const found = (members: readonly TypeModel[], hint?: string) => findDiscriminator(members, { Ref: a }, hint)?.key;
  const a = object({ other: text, kind: literal("a") });
  const b = object({ kind: union(literal("b"), union(literal("c"))), other: text });
  expect(findDiscriminator([a, b], {})).toEqual({ key: "kind", values: [["a"], ["b", "c"]] });
  expect(found([{ kind: "ref", name: "Ref" }, b])).toBe("kind");
  expect(found([a])).toBeUndefined();
  expect(found([a, text])).toBeUndefined();
  expect(found([text, a])).toBeUndefined();
  expect(found([a, object({ kind: literal("a") })])).toBeUndefined();
  expect(found([a, object({ other: literal("x") })])).toBeUndefined();
  expect(found([a, object({ kind: text })])).toBeUndefined();
  for (const more of [{ optional: true }, { default: "b" }] as const)
    expect(found([a, object({ kind: literal("b") }, more)])).toBeUndefined();
  const both = (value: string) => object({ one: literal(value), two: literal(value) });
  expect([found([both("a"), both("b")]), found([both("a"), both("b")], "two")]).toEqual(["one", "two"]);
  expect(found([both("a"), both("b")], "none")).toBe("one");
});

test("a union is flat, without repetitions, and references stay", () => {
  const ref: TypeModel = { kind: "ref", name: "A" };
  expect(flattenUnion([text, union(literal(1), union(ref, text)), literal(1)])).toEqual([text, literal(1), ref]);
});

test("a type contains itself, or accepts everything, also by references", () => {
  const ref = (name: string): TypeModel => ({ kind: "ref", name });
  const definitions = {
    List: object({ next: union(ref("List"), text) }),
    Holds: object({ list: ref("List") }),
    Flat: object({ a: text }),
    Any: union(text, { kind: "unknown" }),
    Loop: union(ref("Loop"), text),
  };
  const twice = object({ a: ref("Flat"), b: ref("Flat") });
  const recursive = [ref("List"), ref("Holds"), union(text, ref("Holds")), ref("Flat"), twice, text];
  expect(recursive.map((type) => isRecursive(type, definitions))).toEqual([true, true, true, false, false, false]);
  const all = [ref("Any"), union(literal(1), ref("Any")), { kind: "unknown" } as const, ref("Loop"), ref("Flat")];
  expect(all.map((type) => acceptsAll(type, definitions))).toEqual([true, true, true, false, false]);
});

test("the root of a request has its URN, and patterns of keys leave out what is declared", () => {
  const definitions = { A: object({ a: text }) };
  expect(rootType({ kind: "ref", name: "A" }, "urn:a", definitions)).toEqual({ ...definitions.A, urn: "urn:a" });
  expect(rootType({ kind: "ref", name: "A" }, undefined, definitions)).toBe(definitions.A);
  expect(rootType(text, "urn:a", definitions)).toBe(text);
  const patterns = [
    { pattern: "^a.?", text: "a", type: text },
    { pattern: "^\\$", text: "b", type: text },
  ];
  const type = { ...object({ a: text, "a.b": text, c: text }), patterns };
  expect(keyPatterns(type).map(({ pattern }) => pattern)).toEqual(["^(?!(?:a|a\\.b)$)a.?", "^\\$"]);
  expect(keyPatterns({ ...type, urn: "urn:a" })[1]?.pattern).toBe("^(?!(?:\\$schema)$)\\$");
  expect(keyPatterns(object({}))).toEqual([]);
});

test("elements are required up to the last one that is, and fields without a default", () => {
  const optional = { optional: true } as const;
  expect([[], [optional], [{}, optional], [optional, {}], [{}, {}]].map(requiredElements)).toEqual([0, 0, 1, 2, 2]);
  const field = { key: "a", type: text };
  const fields: readonly FieldModel[] = [field, { ...field, ...optional }, { ...field, default: null }];
  expect(fields.map(isOptional)).toEqual([false, true, true]);
});
