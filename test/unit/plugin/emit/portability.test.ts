import { expect, test } from "vitest";
import { firstStatement } from "../../../../plugin/emit/first-statement.ts";
import { insertSchemaDecorators } from "../../../../plugin/emit/insert-schema-decorators.ts";
import { portabilityWarnings } from "../../../../plugin/emit/portability.ts";
import type { ToolModel } from "../../../../plugin/model/tool.ts";
import type { FieldModel, Position, TypeModel } from "../../../../plugin/model/type.ts";

const position = { file: "a.ts", line: 1, column: 2, length: 3 } as Position;
const at = { ...position, line: 9 };
const text: TypeModel = { kind: "string" };
const object = (fields: readonly FieldModel[], more: object = {}): TypeModel => ({ kind: "object", fields, ...more });

/** Code, line and message of each warning about a tool with a request of that type. */
function warned(type: TypeModel | undefined, definitions: ToolModel["definitions"] = {}) {
  const model = { name: "own", position, definitions, ...(type !== undefined && { request: { type } }) };
  return portabilityWarnings(model as unknown as ToolModel).map(({ code, line, message }) => [code, line, message]);
}

test("a name of a property that hosts refuse is warned of at its field, wherever it is", () => {
  const refused = (key: string): readonly unknown[] => [
    "TN501",
    1,
    `MCP hosts refuse the property name ${JSON.stringify(key)} and with it the whole tool.`,
  ];
  const inner = object([
    { key: "b/c", type: text, at },
    { key: "", type: text },
  ]);
  const definitions = { Inner: inner };
  const list: TypeModel = { kind: "array", items: { kind: "ref", name: "Inner" } };
  const keys = ["a b", "x".repeat(65), "é"].map((key): FieldModel => ({ key, type: text }));
  const legal = ["x".repeat(64), "a_B-0.9"].map((key): FieldModel => ({ key, type: list }));
  expect(warned(object([...keys, ...legal]), definitions)).toEqual([
    ...keys.map(({ key }) => refused(key)),
    ["TN501", 9, expect.stringContaining('"b/c"') as string],
    refused(""),
  ]);
  expect(warned(undefined)).toEqual([]);
});

test("patterns of keys are warned of once, at the field that holds them", () => {
  const patterns = [
    { pattern: "^a", text: "number", type: text },
    { pattern: "^b", text: "`b-${string}`", type: text },
  ];
  const inner = object([{ key: "own", type: { kind: "ref", name: "Inner" } }], { patterns });
  const definitions = { Inner: inner };
  const ref: TypeModel = { kind: "ref", name: "Inner" };
  const request = object([
    { key: "a", type: { kind: "union", members: [text, ref] }, at },
    { key: "b", type: ref },
  ]);
  const message =
    "Some MCP hosts do not support `patternProperties`, which restricts keys to the form `number` or `b-${string}`.";
  expect(warned(request, definitions)).toEqual([
    ["TN503", 9, message],
    ["TN502", 1, expect.stringContaining("The request of tool `own` contains itself") as string],
  ]);
  expect(warned(object([], { index: object([], { patterns }) }))).toEqual([["TN503", 1, message]]);
});

test("a decorator becomes a comment and a static block, unless a comment is in it", () => {
  const source = '@withSchema("a") class A { } @withSchema(/* b */ "b") class B { }';
  const [first, second] = [source.indexOf("@"), source.lastIndexOf("@")];
  const model = (start: number, body: number) => ({ start, end: source.indexOf(")", start) + 1, body }) as never;
  expect(insertSchemaDecorators(source, [model(first, 26), model(second, 63)])).toEqual([
    { offset: 0, text: "/*" },
    { offset: 16, text: "*/" },
    { offset: 26, text: 'static{(withSchema("a"))(this)}' },
  ]);
});

test("the first statement comes after the line that names a program", () => {
  expect(["a", "#!/usr/bin/env node\na", "#!/usr/bin/env node", " #!x\n", ""].map(firstStatement)).toEqual([
    0, 20, 19, 0, 0,
  ]);
});
