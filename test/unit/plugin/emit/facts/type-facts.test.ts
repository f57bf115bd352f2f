import { expect, test } from "vitest";
import {
  acceptsAll,
  findDiscriminator,
  flattenUnion,
  isOptional,
  isRecursive,
  keyPatterns,
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
