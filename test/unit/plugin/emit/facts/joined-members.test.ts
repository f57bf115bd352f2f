import { expect, test } from "vitest";
import { joinMembers } from "../../../../../plugin/emit/facts/joined-members.ts";
import type { FieldModel, ObjectType, TypeModel } from "../../../../../plugin/model/type.ts";

const number: TypeModel = { kind: "number" };
const date: TypeModel = { kind: "date" };
const object = (...fields: readonly FieldModel[]): ObjectType => ({ kind: "object", fields });
const a = (more: Partial<FieldModel> = {}) => object({ key: "a", type: number, ...more });
const joined = (...members: readonly TypeModel[]) => joinMembers(members, {}, "decode");

test("members are joined where each converts a key in the same way, with the same default", () => {
  expect(joined(a(), a())?.keys).toEqual([
    { key: "a", field: { key: "a", type: number }, members: [0, 1], isBarred: false },
  ]);
  expect(joined(a({ default: 7 }), a({ default: 7 }))?.keys[0]?.members).toEqual([0, 1]);
  for (const [one, other] of [
    [a(), a({ default: 7 })],
    [a({ default: 7 }), a()],
    [a({ default: 7 }), a({ default: 8 })],
    [a(), a({ type: date })],
    [a({ default: 7 }), a({ default: 7, type: { kind: "string" } })],
  ] as const)
    expect(joined(one, other)).toBeUndefined();
  expect(joined(a(), a({ type: { kind: "string" } }))?.keys[0]?.field.type).toBe(number);
});

test("open objects and other kinds are not joined", () => {
  for (const other of [
    { ...a(), index: number },
    { ...a(), patterns: [] },
    { ...a(), urnDeclared: true },
    number,
  ] as const)
    expect(joined(a(), other)).toBeUndefined();
  expect(joinMembers([a(), { ...a(), urnDeclared: true }], {}, "encode")).toBeDefined();
});

test("a key that no member may have is barred, and one that another has is not", () => {
  const barred = a({ type: { kind: "never" }, optional: true });
  expect(joined(barred, barred)?.keys).toMatchObject([{ members: [], isBarred: true }]);
  for (const members of [
    [barred, a()],
    [a(), barred],
  ] as const)
    expect(joined(...members)?.keys).toMatchObject([{ field: { type: number }, isBarred: false }]);
  expect(joined(barred, a())?.keys[0]?.members).toEqual([1]);
  // An encoder copies no such key.
  expect(joinMembers([barred, object()], {}, "encode")?.keys).toEqual([]);
});

test("an encoder joins members that have no URN, or one each", () => {
  const named = (urn: string): TypeModel => ({ ...a(), urn });
  const encoded = (...members: readonly TypeModel[]) => joinMembers(members, {}, "encode");
  expect(encoded(named("urn:a"), named("urn:b"))?.urns).toEqual(["urn:a", "urn:b"]);
  expect(encoded(a(), a())).not.toHaveProperty("urns");
  expect([encoded(named("urn:a"), a()), encoded(named("urn:a"), named("urn:a"))]).toEqual([undefined, undefined]);
  expect(joined(named("urn:a"), a())).not.toHaveProperty("urns");
});

test("members with the same costly fields are one group, in whatever order they have them", () => {
  const costly = (key: string, more: Partial<FieldModel> = {}): FieldModel => ({ key, type: date, ...more });
  const groups = (...members: readonly TypeModel[]) => joined(...members)?.groups.map((group) => group.members);
  expect(groups(object(costly("a"), costly("b")), object(costly("b"), costly("a")), a())).toBeUndefined();
  expect(groups(object(costly("c"), costly("b")), object(costly("b"), costly("c")), a())).toEqual([[0, 1], [2]]);
  expect(groups(object(costly("b")), object(costly("b", { optional: true })))).toEqual([[0], [1]]);
  expect(groups(a(), a({ optional: true }))).toEqual([[0, 1]]);
});
