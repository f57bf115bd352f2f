import { expect, test } from "vitest";
import { nameTypes } from "../../../../../plugin/emit/facts/type-names.ts";
import { emitTool } from "../../../../../plugin/emit/tool-module.ts";
import type { ObjectType, TypeModel } from "../../../../../plugin/model/type.ts";
import { toolModel } from "../load-tool.ts";

const string: TypeModel = { kind: "string" };
const object = (fields: Readonly<Record<string, TypeModel>>): ObjectType => ({
  kind: "object",
  fields: Object.entries(fields).map(([key, type]) => ({ key, type })),
});
const point = object({ x: { kind: "number" } });
const inner = object({ a: string });
const dated = object({ at: { kind: "date" } });

test("types have their own names, what has none that of its place or of its items", () => {
  const request = object({
    "created-at": inner,
    points: { kind: "array", items: { kind: "ref", name: "Point" } },
    either: { kind: "union", members: [dated, { kind: "literal", value: null }] },
    words: { kind: "array", items: string },
  });
  const nameOf = nameTypes(toolModel({ name: "find.all", request: { type: request }, definitions: { Point: point } }));
  const list = (items: TypeModel): TypeModel => ({ kind: "array", items });
  expect(
    [
      request,
      inner,
      point,
      dated,
      list({ kind: "ref", name: "Point" }),
      list(string),
      { kind: "map", values: inner },
    ].map((type) => nameOf(type as TypeModel)),
    // oxfmt-ignore
  ).toEqual([
    "FindAllRequest",
    "FindAllRequestCreatedAt",
    "Point",
    "FindAllRequestEither",
    "PointList",
    "StringList",
    "FindAllRequestCreatedAtMap",
  ]);
});

test("a declared type keeps its name where an equal one without a name comes first", () => {
  const request = object({ where: point, named: { kind: "ref", name: "Point" } });
  const nameOf = nameTypes(toolModel({ name: "find", request: { type: request }, definitions: { Point: point } }));
  expect(nameOf(point)).toBe("Point");
});

test.each([
  ["größe", "FindRequestField"],
  ['"];process.exit()//', "FindRequestProcessExit"],
  ["\u2028", "FindRequestField"],
  ["__tenon_defineTool", "FindRequestTenonDefineTool"],
  ["x".repeat(5000), `FindRequestX${"x".repeat(48)}`],
])("a key becomes letters and digits: %#", (key, expected) => {
  const nameOf = nameTypes(toolModel({ name: "find", request: { type: object({ [key]: inner }) } }));
  expect(nameOf(inner)).toBe(expected);
});

test("functions that would have one name are numbered, and the author's names stay free", () => {
  const types = ["a-b", "a_b", "aB"].map((key, index) => [key, object({ [`f${index}`]: { kind: "date" } })] as const);
  const { code } = emitTool(
    toolModel({
      name: "find",
      binding: "tools.isFindRequestAB",
      request: { type: object(Object.fromEntries(types)) },
    }),
  );
  const names = [...code.matchAll(/\b(\w+)=v=>/g)].map(([, name = ""]) => name);
  // oxfmt-ignore
  expect(names).toEqual([
    "isFindRequestAB2", "isFindRequestAB3", "isFindRequestAB4", "isFindRequest",
    "decodeFindRequestAB", "decodeFindRequestAB2", "decodeFindRequestAB3", "decodeFindRequest",
  ]);
});

test("types in a tuple have the names of their places in it", () => {
  const [first, second, rest] = ["a", "b", "c"].map((key) => object({ [key]: string }));
  const elements = [first, second].map((type) => ({ type: type as TypeModel }));
  const request = object({ pair: { kind: "tuple", elements, rest: rest as TypeModel } });
  const nameOf = nameTypes(toolModel({ name: "find", request: { type: request } }));
  expect([first, second, rest].map((type) => nameOf(type as TypeModel))).toEqual([
    "FindRequestPair1",
    "FindRequestPair2",
    "FindRequestPairRest",
  ]);
});
