import { transformSync } from "esbuild";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ToolModel } from "../../../../plugin/model/tool.ts";
import type { FieldModel, TypeModel } from "../../../../plugin/model/type.ts";
import { emitTool } from "../../../../plugin/emit/tool-module.ts";
import { insertStatements } from "../../../../plugin/emit/insert-tools.ts";
import { runtimeNames } from "../../../../plugin/emit/text/runtime-names.ts";
import * as internal from "../../../../runtime/internal.ts";
import { loadTool, toolModel } from "./load-tool.ts";

const string: TypeModel = { kind: "string" };

test("generated code may import exactly what the runtime exports for it", () => {
  expect(Object.keys(internal).toSorted()).toEqual([...runtimeNames].toSorted());
});

describe("the size of a tool", () => {
  const described = (key: string, type: TypeModel, more: Partial<FieldModel> = {}): FieldModel => ({
    key,
    type,
    description: `The ${key} of what is wanted.`,
    ...more,
  });
  const point: TypeModel = {
    kind: "object",
    title: "Point",
    fields: [described("x", { kind: "number" }), described("y", { kind: "number" })],
  };
  const range: TypeModel = {
    kind: "object",
    fields: [described("from", { kind: "date" }), described("to", { kind: "date" }, { optional: true })],
  };
  const model = toolModel({
    name: "searchPlaces",
    binding: "searchPlaces",
    description: "Searches places near a point.\n\nThe answer is sorted by distance, nearest first.",
    signature: "searchPlaces(query: string, near: Point, ...): SearchResult",
    readonly: true,
    request: {
      urn: "urn:example:schema.search.request.1",
      type: {
        kind: "object",
        urn: "urn:example:schema.search.request.1",
        fields: [
          described("query", { kind: "string", minLength: 1, maxLength: 200 }),
          described("near", { kind: "ref", name: "Point" }),
          described("period", { kind: "ref", name: "Range" }, { optional: true }),
          described("limit", { kind: "number", integer: "uint32", maximum: 100 }, { optional: true, default: 10 }),
          described(
            "mode",
            {
              kind: "union",
              members: [
                { kind: "literal", value: "fast" },
                { kind: "literal", value: "exact" },
              ],
            },
            { optional: true, default: "fast" },
          ),
          described("tags", { kind: "array", items: string, maxItems: 20 }, { optional: true }),
          described("radius", { kind: "number", exclusiveMinimum: 0 }),
          described("open", { kind: "boolean" }, { optional: true }),
          described("language", { kind: "string", patterns: ["^[a-z]{2}$"] }, { optional: true }),
          described(
            "after",
            { kind: "union", members: [string, { kind: "literal", value: null }] },
            { optional: true },
          ),
        ],
      },
    },
    result: {
      kind: "json",
      urn: "urn:example:schema.search.1",
      type: {
        kind: "object",
        urn: "urn:example:schema.search.1",
        fields: [
          described("places", { kind: "array", items: { kind: "ref", name: "Point" } }),
          described("total", { kind: "number", integer: "uint32" }),
          described("next", string, { optional: true }),
          described("asOf", { kind: "date" }),
        ],
      },
    },
    definitions: { Point: point, Range: range },
  });

  test("ten fields with two nested objects and a result of four stay under 4 kB, all included", () => {
    const source =
      'import { Client } from "./client.ts";\nexport function searchPlaces(request: unknown) { return Client.search(request); }\n';
    const [insertion] = insertStatements(source, [{ ...emitTool(model), offset: model.insertion.offset }]);
    const minified = transformSync(insertion?.text ?? "", { minify: true, format: "esm", loader: "ts" }).code;
    if (process.env["SHOW"]) console.log(minified);
    expect(minified.length).toBeLessThanOrEqual(4096);
    expect(minified.length).toBeGreaterThan(1000);
    expect(gzipSync(minified).length).toBeLessThan(1800);
  });
});

describe("insertStatements", () => {
  const model = toolModel({
    insertion: { offset: 19 },
    request: { type: { kind: "object", fields: [{ key: "a", type: string }] } },
  });
  const emitted = emitTool(model);

  test("adds import and call on one line, with semicolons on both sides", () => {
    const source = 'import x from "x.ts"\nexport async function probe(r: { a: string }) { return x(r) }\n';
    const insertions = insertStatements(source, [{ ...emitted, offset: 19 }]);
    expect(insertions).toHaveLength(1);
    expect(insertions[0]?.offset).toBe(19);
    expect(insertions[0]?.text).toMatch(
      /^;import\{[^}]*defineTool as __tenon_defineTool[^}]*\}from"tenon\/internal";.*;$/s,
    );
    expect(insertions[0]?.text).not.toMatch(/[\n\r\u2028\u2029]/);
  });

  test("imports once for all tools of a module, with the first call", () => {
    const other = emitTool({ ...model, name: "other", binding: "other", insertion: { offset: 5 } });
    const [second, first] = insertStatements("x".repeat(40), [
      { ...emitted, offset: 19 },
      { ...other, offset: 5 },
    ]);
    expect(first?.text.match(/import\{/g)).toHaveLength(1);
    expect(second?.text).not.toContain("import{");
  });

  test("chooses other names where the author's module has the usual ones", () => {
    const [insertion] = insertStatements("const __tenon_isObject = 1;", [{ ...emitted, offset: 19 }]);
    expect(insertion?.text).toContain("__tenon2_isObject");
    expect(insertion?.text).not.toMatch(/__tenon_/);
  });

  test("inserts nothing for a module without tools", () => {
    expect(insertStatements("const a = 1;", [])).toEqual([]);
  });
});

describe("calls", () => {
  const object = (...names: readonly string[]): TypeModel => ({
    kind: "object",
    fields: names.map((key) => ({ key, type: string, optional: true })),
  });
  const calls = (
    parameters: ToolModel["parameters"],
    ...names: readonly string[]
  ): ((request: unknown, job?: unknown) => unknown) =>
    loadTool(toolModel({ parameters, request: { type: object(...names) } }), (...values: unknown[]) => values).call;

  test("follow the author's parameter list", () => {
    expect(calls([{ kind: "job" }, { kind: "request" }])({ a: 1 }, "job")).toEqual(["job", { a: 1 }]);
    expect(
      calls(
        [{ kind: "field", key: "b" }, { kind: "job" }, { kind: "field", key: "a-c" }],
        "b",
        "a-c",
      )({ b: 1, "a-c": 2 }, "job"),
    ).toEqual([1, "job", 2]);
    expect(calls([], "a")({}, "job")).toEqual([]);
  });

  test("spread a rest parameter, also a missing one, and pass nothing inherited", () => {
    const call = calls(
      [
        { kind: "field", key: "constructor" },
        { kind: "field", key: "rest", rest: true },
      ],
      "constructor",
      "rest",
    );
    expect(call({ rest: [1, 2] })).toEqual([undefined, 1, 2]);
    expect(call({})).toEqual([undefined]);
  });

  test("hide no name of the author's expression", () => {
    const evaluate = (binding: string): string =>
      emitTool(
        toolModel({ binding, parameters: [{ kind: "request" }, { kind: "job" }], request: { type: object("a") } }),
      ).code;
    expect(evaluate("r")).toContain("(r_,j)=>r(r_,j)");
    const name = /\{const (is\w+)=/.exec(evaluate("take"))?.[1] ?? "";
    expect(name).toMatch(/^is\w+Request$/);
    expect(evaluate(name)).toContain(`{const ${name}2=`);
    expect(evaluate(name)).toContain(`r=>${name}(`.replace("r=>", "(r,j)=>"));
  });
});

describe("hostile names and texts (S37)", () => {
  const hostile = [
    '"];process.exit()//',
    "'",
    "`${process.exit()}`",
    "\u2028",
    "\u2029",
    "*/",
    "/*",
    "</script>",
    "<!--",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "\\",
    "\\\\",
    "\n",
    "\r",
    "\0",
    "\ud800",
    "//# sourceMappingURL=x.js.map",
    "__tenon_defineTool",
    "${x}",
    "a-b",
    "0",
    "",
    "class",
  ];

  const nested: TypeModel = {
    kind: "object",
    title: hostile.join(" "),
    description: hostile.join(" "),
    fields: hostile.map((key) => ({
      key,
      type: { kind: "string" },
      description: key,
      title: key,
      deprecated: key,
      examples: [key],
    })),
    index: { kind: "union", members: hostile.map((value) => ({ kind: "literal", value })) },
    urn: `urn:${hostile.join()}`,
  };
  const model = toolModel({
    name: hostile.join(),
    title: hostile.join(),
    description: hostile.join(),
    signature: hostile.join(),
    icon: hostile.join(),
    path: `/${hostile.join()}`,
    position: { file: hostile.join(), line: 1, column: 1, length: 1 },
    deprecated: hostile.join(),
    examples: hostile.map((key) => ({ title: key, request: Object.fromEntries([[key, key]]) })),
    options: Object.fromEntries(hostile.map((key) => [key, key])),
    urn: hostile.join(),
    request: {
      type: {
        kind: "object",
        fields: [
          { key: "nested", type: nested },
          {
            key: "literal",
            type: { kind: "union", members: hostile.map((value) => ({ kind: "literal", value })) },
            optional: true,
            default: hostile[0] ?? "",
          },
          {
            key: "choice",
            type: {
              kind: "union",
              discriminator: "__proto__",
              members: hostile.map((value) => ({
                kind: "object",
                fields: [{ key: "__proto__", type: { kind: "literal", value } }],
              })),
            },
          },
          { key: "named", type: { kind: "ref", name: hostile.join() }, optional: true },
          {
            key: "patterns",
            type: {
              kind: "string",
              patterns: ["[`\"'/*]|</script>|\u2028|\\/\\/|__tenon_|(?<__tenon_x>a)|$", "\\n|$"],
            },
            optional: true,
          },
          {
            key: "defaults",
            type: { kind: "map", values: { kind: "unknown" } },
            optional: true,
            default: Object.fromEntries(hostile.map((key) => [key, { [key]: key }])),
          },
        ],
      },
    },
    result: { kind: "json", type: nested },
    definitions: { [hostile.join()]: nested },
  } as Partial<ToolModel>);

  test("compile and behave, and nothing of them runs", () => {
    const { emitted, isRequest, decodeRequest, encodeResult, isResult, definition } = loadTool(model);
    const text = (insertStatements("", [{ ...emitted, offset: 0 }])[0] ?? { text: "" }).text;
    expect(text).not.toMatch(/[\n\r\u2028\u2029]|<\/script|<!--|\*\/|\/\/[#@]/);
    expect(text).toBe(text.toWellFormed());
    for (const loader of ["js", "ts", "tsx"] as const)
      expect(() => transformSync(text, { loader, format: "esm" })).not.toThrow();
    const value = Object.fromEntries(hostile.map((key) => [key, "x"]));
    const request = { nested: value, choice: Object.fromEntries([["__proto__", "*/"]]) };
    expect(isRequest(request)).toBe(true);
    const decoded = decodeRequest(request) as { nested: object; literal: string; defaults: Map<string, unknown> };
    expect(decoded.nested).toEqual(value);
    expect(Object.keys(decoded.nested).toSorted()).toEqual(hostile.toSorted());
    expect(Object.getPrototypeOf(decoded.nested)).toBe(Object.prototype);
    expect(decoded.literal).toBe(hostile[0]);
    expect([...decoded.defaults.keys()].toSorted()).toEqual(hostile.toSorted());
    expect(isRequest({ nested: {}, choice: request.choice })).toBe(false);
    expect(isRequest({ ...request, choice: {} })).toBe(false);
    const encoded = encodeResult(value) as Record<string, unknown>;
    expect(isResult(encoded)).toBe(true);
    expect(encoded["$schema"]).toBe(nested.urn);
    expect(definition).toEqual(emitted.definition);
    expect(JSON.stringify(definition)).toBe(JSON.stringify(emitted.definition));
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

test("generated code does not depend on what the module calls Object, Array or Number", () => {
  const { code } = emitTool(
    toolModel({
      request: {
        type: {
          kind: "object",
          fields: [
            { key: "a", type: { kind: "array", items: { kind: "number", integer: "int32" }, uniqueItems: true } },
            { key: "b", type: { kind: "map", values: { kind: "date" } } },
            { key: "c", type: { kind: "set", items: { kind: "bigint" } } },
            { key: "constructor", type: { kind: "url" }, optional: true },
          ],
        },
      },
    }),
  );
  const names = new Set(code.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/(?<![\w$.])[A-Za-z_$][\w$]*/g));
  expect([...names].filter((name) => /^[A-Z]|undefined|globalThis/.test(name))).toEqual([]);
});
