import { expect, test } from "vitest";
import { listsOfObjects } from "../../../../../plugin/emit/facts/codec-facts.ts";
import type { TypeModel } from "../../../../../plugin/model/type.ts";

const list = (items: TypeModel): TypeModel => ({ kind: "array", items });
const object: TypeModel = { kind: "object", fields: [] };
const [objects, more, texts] = [list(object), list(list(object)), list({ kind: "string" })];

test("a value can be legal for several lists only if there are several with objects", () => {
  expect(listsOfObjects([objects, texts, object], {})).toEqual([]);
  expect(listsOfObjects([objects, texts, more, object], {})).toEqual([objects, more]);
});
