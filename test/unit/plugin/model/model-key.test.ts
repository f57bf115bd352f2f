import { expect, test } from "vitest";
import { modelKey } from "../../../../plugin/model/model-key.ts";
import type { FieldModel, TypeModel } from "../../../../plugin/model/type.ts";

const text: TypeModel = { kind: "string" };
const ref = (name: string): TypeModel => ({ kind: "ref", name });
const object = (...fields: readonly FieldModel[]): TypeModel => ({ kind: "object", fields });
const key = (definitions: Record<string, TypeModel>): string =>
  modelKey(Object.keys(definitions)[0] ?? "", new Map(Object.entries(definitions)));

const tree = key({ Tree: object({ key: "next", type: ref("Tree") }, { key: "leaf", type: ref("Leaf") }), Leaf: text });

test("names and texts make no difference", () => {
  const described: FieldModel = { key: "next", type: { ...ref("Node"), title: "Next" }, description: "The next." };
  expect(key({ Node: object(described, { key: "leaf", type: ref("End") }), Other: object(), End: text })).toBe(tree);
});

test("another form of a definition that is referred to makes a difference, and so does another one", () => {
  const next = (name: string): FieldModel => ({ key: "next", type: ref(name) });
  const leaf = (name: string): FieldModel => ({ key: "leaf", type: ref(name) });
  // oxfmt-ignore
  const others = [
    { Tree: object(next("Tree"), leaf("Leaf")), Leaf: { kind: "number" } as const },
    { Tree: object(next("Leaf"), leaf("Leaf")), Leaf: text },
    { Tree: object(next("Leaf"), leaf("Tree")), Leaf: text },
    { Tree: object(next("Tree")), Leaf: text },
  ];
  expect(new Set([tree, ...others.map(key)]).size).toBe(5);
});
