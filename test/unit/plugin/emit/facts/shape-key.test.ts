import { expect, test } from "vitest";
import { shapeKey } from "../../../../../plugin/emit/facts/shape-key.ts";
import { textKeys } from "../../../../../plugin/model/text-keys.ts";
import type { FieldModel, FieldTexts, JsonLiteral, ObjectType } from "../../../../../plugin/model/type.ts";

const texts: Required<FieldTexts> = {
  title: "Title",
  description: "Text.",
  deprecated: "Use b.",
  examples: [1],
  header: "X-A",
  at: { file: "a.ts", line: 1, column: 1, length: 1 },
};
const object = (more: Partial<FieldModel>, own: Partial<ObjectType> = {}): ObjectType => ({
  kind: "object",
  fields: [{ key: "a", type: { kind: "number" }, ...more }],
  ...own,
});

test("texts of a field or a type do not change its shape", () => {
  expect(Object.keys(texts).toSorted()).toEqual(Object.keys(textKeys).toSorted());
  const { title, description, deprecated } = texts;
  expect(shapeKey(object(texts, { title, description, deprecated }))).toBe(shapeKey(object({})));
});

test("everything else does, also keys of a default that are called like texts", () => {
  const defaults: readonly JsonLiteral[] = [1, { title: "a" }, { title: "b" }];
  // oxfmt-ignore
  const shapes = [
    object({}), object({ optional: true }), object({ key: "b" }), object({ type: { kind: "boolean" } }),
    ...defaults.map((value) => object({ default: value })),
    object({}, { urn: "urn:a" }), object({}, { index: { kind: "number" } }),
  ];
  expect(new Set(shapes.map(shapeKey)).size).toBe(shapes.length);
});
