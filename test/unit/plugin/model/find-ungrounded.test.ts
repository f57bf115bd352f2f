import { expect, test } from "vitest";
import { findUngrounded } from "../../../../plugin/model/find-ungrounded.ts";
import type { TypeModel } from "../../../../plugin/model/type.ts";

const ref = (name: string): TypeModel => ({ kind: "ref", name });
const union = (...members: TypeModel[]): TypeModel => ({ kind: "union", members });

test.each<[string, Record<string, TypeModel>, string[] | undefined]>([
  ["itself", { A: ref("A") }, ["A", "A"]],
  ["a member of its union", { A: union({ kind: "string" }, ref("A")) }, ["A", "A"]],
  ["three", { A: ref("B"), B: union(ref("C"), { kind: "number" }), C: ref("B") }, ["B", "C", "B"]],
  ["a step into a list", { A: union({ kind: "string" }, { kind: "array", items: ref("A") }) }, undefined],
  ["a step into a field", { A: ref("B"), B: { kind: "object", fields: [], index: ref("A") } }, undefined],
  ["two ways to one definition", { A: union(ref("B"), ref("C")), B: ref("C"), C: { kind: "string" } }, undefined],
])("%s", (_, definitions, way) => {
  expect(findUngrounded(new Map(Object.entries(definitions)))).toEqual(way);
});
