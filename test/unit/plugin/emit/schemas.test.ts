import { describe, expect, test } from "vitest";
import { fullSchema } from "../../../../plugin/emit/schema/json-schema.ts";
import { emitTool } from "../../../../plugin/emit/tool-module.ts";
import type { FieldModel, TypeModel } from "../../../../plugin/model/type.ts";
import type { JsonSchema } from "../../../../runtime/contract/contract.ts";
import { toolModel } from "./load-tool.ts";

const string: TypeModel = { kind: "string" };
const number: TypeModel = { kind: "number" };
const nothing: TypeModel = { kind: "literal", value: null };

function schema(type: TypeModel, definitions: Record<string, TypeModel> = {}): JsonSchema {
  const { $schema, ...rest } = fullSchema(type, definitions, "input");
  expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
  return rest;
}
function union(...members: readonly TypeModel[]): TypeModel {
  return { kind: "union", members };
}
function literal(value: string | number | boolean | null): TypeModel {
  return { kind: "literal", value };
}
function object(...fields: readonly FieldModel[]): TypeModel {
  return { kind: "object", fields };
}

describe("the full schema", () => {
  test.each<[TypeModel, JsonSchema]>([
    [{ kind: "unknown" }, {}],
    [literal("a"), { type: "string", const: "a" }],
    [union(literal("a"), literal("b")), { type: "string", enum: ["a", "b"] }],
    [union(literal("a"), nothing), { type: ["string", "null"], enum: ["a", null] }],
    [union(literal("a"), literal(1)), { type: ["string", "number"], enum: ["a", 1] }],
    [union(literal(true), literal(false)), { type: "boolean" }],
    [union(literal(true), literal(false), nothing), { type: ["boolean", "null"] }],
    [union({ kind: "boolean" }, literal(true), literal(false)), { type: "boolean" }],
    [union(string, nothing), { type: ["string", "null"] }],
    [union(string, number, nothing), { type: ["string", "number", "null"] }],
    [union({ kind: "date" }, nothing), { type: ["string", "null"], format: "date-time" }],
    [union(literal("auto"), number), { anyOf: [{ type: "string", const: "auto" }, { type: "number" }] }],
    [union(string, { kind: "unknown" }), {}],
    [union(object(), nothing), { anyOf: [{ type: "object", properties: {} }, { type: "null" }] }],
    [union(string, { kind: "date" }), { anyOf: [{ type: "string" }, { type: "string", format: "date-time" }] }],
    [
      { kind: "string", patterns: ["^a", "b$", "c"] },
      { type: "string", pattern: "^a", allOf: [{ pattern: "b$" }, { pattern: "c" }] },
    ],
    [
      { kind: "number", integer: "integer" },
      { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    ],
    [
      { kind: "number", integer: "uint64", minimum: 3 },
      { type: "integer", minimum: 3, maximum: 9007199254740991 },
    ],
    [
      { kind: "number", integer: "int32", maximum: 1e12 },
      { type: "integer", minimum: -2147483648, maximum: 2147483647 },
    ],
    [
      { kind: "number", float: true },
      { type: "number", minimum: -3.4028234663852886e38, maximum: 3.4028234663852886e38 },
    ],
    [{ kind: "url" }, { type: "string", format: "uri" }],
    [
      { kind: "bigint" },
      { $comment: "integer as a string", type: "string", pattern: "^(?:0|-?[1-9][0-9]*)$", maxLength: 1300 },
    ],
    [
      { kind: "bytes" },
      {
        type: "string",
        pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
        contentEncoding: "base64",
      },
    ],
    [
      { kind: "set", items: string, maxItems: 3 },
      { type: "array", items: { type: "string" }, maxItems: 3, uniqueItems: true },
    ],
    [
      { kind: "map", values: number },
      { type: "object", additionalProperties: { type: "number" } },
    ],
    [
      {
        kind: "tuple",
        elements: [
          { type: string, name: "first" },
          { type: number, optional: true },
        ],
      },
      {
        type: "array",
        prefixItems: [{ title: "first", type: "string" }, { type: "number" }],
        items: false,
        minItems: 1,
      },
    ],
    [
      { kind: "tuple", elements: [], rest: string },
      { type: "array", items: { type: "string" } },
    ],
    [
      { kind: "object", fields: [], index: number },
      { type: "object", additionalProperties: { type: "number" } },
    ],
  ])("of %j", (type, expected) => expect(schema(type)).toEqual(expected));

  test("carries what the author wrote about a field", () => {
    const field: FieldModel = {
      key: "a",
      type: number,
      optional: true,
      title: "A",
      description: "The a.",
      deprecated: "use b",
      default: 1,
      examples: [1, 2],
    };
    const description = "The a.\n\nDeprecated: use b";
    expect(schema(object(field))).toEqual({
      type: "object",
      properties: {
        a: { type: "number", title: "A", description, deprecated: true, default: 1, examples: [1, 2] },
      },
    });
    expect(schema({ kind: "object", title: "T", description: "D", deprecated: true, fields: [] })).toEqual({
      title: "T",
      description: "D",
      deprecated: true,
      type: "object",
      properties: {},
    });
  });

  test("asks for `$schema` in results only, first", () => {
    const type: TypeModel = { kind: "object", urn: "urn:x:1", fields: [{ key: "a", type: number }] };
    const properties = { $schema: { type: "string", const: "urn:x:1" }, a: { type: "number" } };
    expect(schema(type)).toEqual({ type: "object", properties, required: ["a"] });
    expect(fullSchema(type, {}, "output")).toMatchObject({ properties, required: ["$schema", "a"] });
    expect(Object.keys(fullSchema(type, {}, "output")["properties"] as object)[0]).toBe("$schema");
  });

  test("has the root inline and named types in `$defs`, in order of use", () => {
    const definitions = {
      Root: object(
        { key: "a", type: { kind: "ref", name: "Page<Item>" } },
        { key: "self", type: { kind: "ref", name: "Root" }, optional: true },
      ),
      "Page<Item>": object({ key: "n", type: { kind: "ref", name: "N" } }),
      N: number,
      Unused: string,
    };
    const result = schema({ kind: "ref", name: "Root" }, definitions);
    expect(result["type"]).toBe("object");
    expect(Object.keys(result["$defs"] as object)).toEqual(["Page_Item", "Root", "N"]);
    expect(result["properties"]).toEqual({ a: { $ref: "#/$defs/Page_Item" }, self: { $ref: "#/$defs/Root" } });
  });

  test("keeps names apart that differ in punctuation only", () => {
    const definitions = { "A<B>": string, "A[B]": number, "<>": string };
    const all: TypeModel = {
      kind: "tuple",
      elements: Object.keys(definitions).map((name) => ({ type: { kind: "ref", name } })),
    };
    expect(schema(all, definitions)["$defs"]).toEqual({
      A_B: { type: "string" },
      A_B_2: { type: "number" },
      Type: { type: "string" },
    });
  });
});

describe("the portable schema", () => {
  const point = { Point: object({ key: "x", type: number }) };
  const mcp = (request: TypeModel | undefined, definitions: Record<string, TypeModel> = {}, result?: TypeModel) =>
    emitTool(
      toolModel({
        ...(request !== undefined && { request: { type: request } }),
        ...(result !== undefined && { result: { kind: "json", type: result } }),
        definitions,
      }),
    ).definition.mcp;

  test("of a file is shown as it is, and nothing is checked by it", () => {
    const inputSchema = {
      type: "object",
      properties: { any: true, none: false },
      additionalProperties: false,
    } as const;
    const request = { type: object({ key: "a", type: string }) };
    const { definition } = emitTool(toolModel({ request, inputSchema }));
    expect(definition.mcp.inputSchema).toEqual(inputSchema);
    expect(JSON.stringify(definition.request)).toBe(
      JSON.stringify(emitTool(toolModel({ request })).definition.request),
    );
  });

  test("of no arguments is an empty object", () => {
    expect(mcp(undefined)).toEqual({ inputSchema: { type: "object", additionalProperties: false } });
  });

  test("has no `$schema`, no `$ref`, no `const`; the URN is in `_meta`", () => {
    const type: TypeModel = {
      kind: "object",
      urn: "urn:x:1",
      fields: [
        { key: "at", type: { kind: "ref", name: "Point" }, description: "Where.", header: "At" },
        { key: "mode", type: literal("a") },
      ],
    };
    expect(mcp(type, point)).toEqual({
      inputSchema: {
        type: "object",
        properties: {
          at: {
            type: "object",
            properties: { x: { type: "number" } },
            required: ["x"],
            additionalProperties: false,
            description: "Where.",
            "x-mcp-header": "At",
          },
          mode: { type: "string", enum: ["a"] },
        },
        required: ["at", "mode"],
        additionalProperties: false,
      },
      _meta: { "io.tenon/schema": "urn:x:1" },
    });
  });

  test("leaves `$schema` out where it is optional, and has it where it is required data", () => {
    const chart = (optional: boolean, more: object = {}): TypeModel => ({
      kind: "object",
      fields: [{ key: "$schema", type: string, ...(optional && { optional }) }],
      ...more,
    });
    const fields = { must: chart(false), may: chart(true), open: chart(false, { index: string }) };
    const request = object(...Object.entries(fields).map(([key, type]) => ({ key, type })));
    expect(mcp(request).inputSchema["properties"]).toEqual({
      must: {
        type: "object",
        properties: { $schema: { type: "string" } },
        required: ["$schema"],
        additionalProperties: false,
      },
      may: { type: "object", properties: {}, additionalProperties: false },
      open: {
        type: "object",
        properties: { $schema: { type: "string" } },
        required: ["$schema"],
        additionalProperties: { type: "string" },
      },
    });
  });

  test("keeps references of recursive types only", () => {
    const definitions = {
      ...point,
      Node: object(
        { key: "at", type: { kind: "ref", name: "Point" } },
        { key: "next", type: { kind: "ref", name: "Node" }, optional: true },
      ),
    };
    const { inputSchema } = mcp(
      object({ key: "node", type: { kind: "ref", name: "Node" } }, { key: "at", type: { kind: "ref", name: "Point" } }),
      definitions,
    );
    expect(Object.keys(inputSchema["$defs"] as object)).toEqual(["Node"]);
    expect(JSON.stringify(inputSchema)).not.toContain("Point");
  });

  test("keeps references where writing them out would explode", () => {
    const definitions: Record<string, TypeModel> = { T30: string };
    for (let level = 0; level < 30; level++)
      definitions[`T${level}`] = object(
        { key: "a", type: { kind: "ref", name: `T${level + 1}` } },
        { key: "b", type: { kind: "ref", name: `T${level + 1}` } },
      );
    expect(
      JSON.stringify(mcp(object({ key: "a", type: { kind: "ref", name: "T0" } }), definitions)).length,
    ).toBeLessThan(20_000);
  });

  test("wraps results that are not one object", () => {
    expect(mcp(undefined, {}, { kind: "array", items: string })).toMatchObject({
      wrapped: true,
      outputSchema: {
        type: "object",
        properties: { result: { type: "array", items: { type: "string" } } },
        required: ["result"],
      },
    });
    expect(mcp(undefined, {}, union(object(), nothing))).toMatchObject({ wrapped: true });
    expect(mcp(undefined, point, { kind: "ref", name: "Point" })).toMatchObject({
      outputSchema: { type: "object", required: ["x"] },
    });
    expect(mcp(undefined, point, { kind: "ref", name: "Point" })).not.toHaveProperty("wrapped");
    expect(emitTool(toolModel({ result: { kind: "text", type: string } })).definition.mcp).toMatchObject({
      wrapped: true,
    });
    expect(emitTool(toolModel({ result: { kind: "bytes" } })).definition.mcp).not.toHaveProperty("outputSchema");
  });

  test("shows a choice of objects as one object", () => {
    const { inputSchema } = mcp(
      union(
        object({ key: "kind", type: literal("a") }, { key: "x", type: number }),
        object({ key: "kind", type: literal("b") }, { key: "x", type: string }),
      ),
    );
    expect(inputSchema).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        x: { anyOf: [{ type: "number" }, { type: "string" }] },
      },
      required: ["kind", "x"],
    });
  });

  test("is replaced by a hand-written one", () => {
    const model = toolModel({
      request: { type: object() },
      inputSchema: { type: "object", title: "mine" },
      task: "required",
    });
    expect(emitTool(model).definition.mcp).toMatchObject({
      inputSchema: { type: "object", title: "mine" },
      task: "required",
    });
  });

  test("has keys of any name where all values are of one type", () => {
    const keys = (text: string, type: TypeModel) => ({ pattern: `^${text}`, text: `\`${text}\${string}\``, type });
    const request = object(
      {
        key: "one",
        type: {
          kind: "object",
          fields: [{ key: "x-own", type: number }],
          patterns: [keys("x-", number), keys("y-", number)],
        },
      },
      {
        key: "two",
        type: { kind: "object", fields: [], patterns: [keys("x-", number), keys("y-", { kind: "boolean" })] },
      },
      { key: "rest", type: { kind: "object", fields: [], patterns: [keys("x-", number)], index: number } },
    );
    const { definition, diagnostics } = emitTool(toolModel({ request: { type: request } }));
    expect(definition.request?.schema["properties"]).toMatchObject({
      one: {
        properties: { "x-own": { type: "number" } },
        patternProperties: { "^(?!(?:x-own)$)x-": { type: "number" }, "^y-": { type: "number" } },
      },
      two: { patternProperties: { "^x-": { type: "number" }, "^y-": { type: "boolean" } } },
      rest: { patternProperties: { "^x-": { type: "number" } }, additionalProperties: { type: "number" } },
    });
    const other = { type: "object", additionalProperties: { type: "number" } };
    expect(definition.mcp.inputSchema["properties"]).toEqual({
      one: { ...other, properties: { "x-own": { type: "number" } }, required: ["x-own"] },
      two: {
        type: "object",
        patternProperties: { "^x-": { type: "number" }, "^y-": { type: "boolean" } },
        additionalProperties: false,
      },
      rest: other,
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(["TN503", "TN503", "TN503"]);
  });

  test("warns of what hosts refuse, with the place", () => {
    const at = { file: "src/a.ts", line: 4, column: 3, length: 5 };
    const recursive = object(
      { key: "a b", type: number, at },
      { key: "next", type: { kind: "ref", name: "Node" }, optional: true },
    );
    const { diagnostics } = emitTool(
      toolModel({ request: { type: { kind: "ref", name: "Node" } }, definitions: { Node: recursive } }),
    );
    expect(diagnostics).toEqual([
      {
        code: "TN501",
        level: "warning",
        message: 'MCP hosts refuse the property name "a b" and with it the whole tool.',
        fix: "use 1 to 64 letters, digits, `_`, `.` or `-`",
        ...at,
      },
      {
        code: "TN502",
        level: "warning",
        message:
          "The request of tool `probe` contains itself, so its schema needs a `$ref`, which some MCP hosts refuse.",
        fix: "replace the nesting by a list whose items name their parent, or accept that these hosts leave the tool out",
        file: "src/probe.ts",
        line: 3,
        column: 1,
        length: 5,
      },
    ]);
    expect(emitTool(toolModel({ request: { type: object({ key: "fine_name", type: number }) } })).diagnostics).toEqual(
      [],
    );
  });
});
