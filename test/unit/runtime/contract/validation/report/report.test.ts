import { describe, expect, test } from "vitest";
import { fullSchema } from "../../../../../../plugin/emit/schema/json-schema.ts";
import type { FieldModel, TypeModel } from "../../../../../../plugin/model/type.ts";
import { reportProblems } from "../../../../../../runtime/contract/validation/report/report.ts";
import { processorTime } from "../../../../../support/processor-time.ts";

const string: TypeModel = { kind: "string" };
const number: TypeModel = { kind: "number" };

function object(...fields: readonly FieldModel[]): TypeModel {
  return { kind: "object", fields };
}
function report(type: TypeModel, value: unknown, definitions = {}, options = {}): ReturnType<typeof reportProblems> {
  return reportProblems(fullSchema(type, definitions, "input"), value, options);
}
function one(type: TypeModel, value: unknown, definitions = {}): ReturnType<typeof reportProblems>[number] | undefined {
  const problems = report(type, value, definitions);
  expect(problems).toHaveLength(1);
  return problems[0];
}
function literals(...values: readonly (string | number | boolean | null)[]): TypeModel {
  return { kind: "union", members: values.map((value) => ({ kind: "literal", value })) };
}

describe("what was expected, in the author's words", () => {
  const definitions = { Point: object({ key: "x", type: number }) };
  test.each<[TypeModel, unknown, string]>([
    [string, 1, "string"],
    [{ kind: "string", minLength: 1 }, "", "string with at least 1 character"],
    [{ kind: "string", maxLength: 10 }, "a".repeat(11), "string with at most 10 characters"],
    [{ kind: "string", minLength: 2, maxLength: 2 }, "a", "string with exactly 2 characters"],
    [{ kind: "string", minLength: 2, maxLength: 4 }, "a", "string with 2 to 4 characters"],
    [{ kind: "string", patterns: ["^a", "b$"] }, "x", "string that matches /^a/ and /b$/"],
    [{ kind: "string", format: "date-time" }, "x", "date-time string such as 2026-01-31T12:00:00Z"],
    [{ kind: "date" }, "x", "date-time string such as 2026-01-31T12:00:00Z"],
    [{ kind: "string", format: "email" }, "x", "email address"],
    [{ kind: "url" }, "x", "URI such as https://example.org/path"],
    [{ kind: "bigint" }, 1, "integer as a string"],
    [{ kind: "bytes" }, "x", "base64 string"],
    [{ kind: "template", pattern: "^id-\\d$", text: "`id-${number}`" }, "x", "`id-${number}`"],
    [
      {
        kind: "union",
        members: [
          { kind: "template", pattern: "^id-\\d$", text: "`id-${number}`" },
          { kind: "literal", value: null },
        ],
      },
      1,
      "`id-${number}` | null",
    ],
    [number, "1", "number"],
    [{ kind: "number", integer: "integer" }, 1.5, "integer"],
    [{ kind: "number", integer: "integer", minimum: 0 }, -1, "integer of at least 0"],
    [{ kind: "number", integer: "uint32" }, -1, "integer from 0 to 4294967295"],
    [{ kind: "number", minimum: 0, maximum: 1 }, 2, "number from 0 to 1"],
    [{ kind: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0, "number above 0 below 1"],
    [{ kind: "number", maximum: 1 }, 2, "number of at most 1"],
    [{ kind: "number", multipleOf: 0.5, minimum: 0 }, 0.3, "multiple of 0.5 of at least 0"],
    [{ kind: "boolean" }, "true", "boolean"],
    [{ kind: "literal", value: null }, 1, "null"],
    [{ kind: "literal", value: "a" }, "b", '"a"'],
    [literals("fast", "exact"), "quick", '"fast" | "exact"'],
    [literals(1, 2, null), 3, "1 | 2 | null"],
    [{ kind: "union", members: [string, number, { kind: "literal", value: null }] }, true, "string | number | null"],
    [{ kind: "union", members: [string, { kind: "array", items: string }] }, 1, "string | array of string"],
    [{ kind: "array", items: number }, "x", "array of number"],
    [{ kind: "array", items: number, maxItems: 1 }, [1, 2], "array of number with at most 1 item"],
    [{ kind: "set", items: string }, ["a", "a"], "array of distinct string"],
    [{ kind: "tuple", elements: [{ type: string }, { type: number, optional: true }] }, [], "[string, number?]"],
    [{ kind: "tuple", elements: [{ type: string }], rest: number }, 1, "[string, ...number[]]"],
    [{ kind: "map", values: number }, 1, "object of number"],
    [object(), 1, "object"],
    [object(), [], "object"],
    [{ kind: "ref", name: "Point" }, 1, "object"],
  ])("%j and %j", (type, value, expected) => {
    expect(one(type, value, definitions)?.expected).toBe(expected);
  });

  test("a named type by its name", () => {
    expect(one(object({ key: "at", type: { kind: "ref", name: "Point" } }), { at: 1 }, definitions)).toEqual({
      path: "/at",
      expected: "Point",
      value: 1,
      message: "Expected Point, got 1.",
    });
  });

  test("a long choice is cut", () => {
    expect(one(literals(...Array.from({ length: 30 }, (_, index) => index)), "x")?.expected).toMatch(
      / \| 19 \| … \(30 in all\)$/,
    );
  });
});

describe("messages", () => {
  const type = object(
    { key: "mode", type: literals("fast", "exact") },
    { key: "count", type: { kind: "number", integer: "uint32" } },
  );

  test("list all problems with their places", () => {
    expect(report(type, { mode: "fsat", count: -1 })).toEqual([
      {
        path: "/mode",
        expected: '"fast" | "exact"',
        value: "fsat",
        message: 'Expected "fast" | "exact", got "fsat". Did you mean "fast"?',
      },
      {
        path: "/count",
        expected: "integer from 0 to 4294967295",
        value: -1,
        message: "Expected integer from 0 to 4294967295, got -1.",
      },
    ]);
  });

  test("follow references that lead to references", () => {
    const schema = {
      $ref: "#/$defs/Alias",
      $defs: { Alias: { $ref: "#/$defs/Text" }, Text: { type: "string" }, Self: { $ref: "#/$defs/Self" } },
    };
    expect(reportProblems(schema, 1)).toHaveLength(1);
    expect(reportProblems(schema, "a")).toEqual([]);
    expect(reportProblems({ ...schema, $ref: "#/$defs/Self" }, 1)).toEqual([]);
  });

  test("say which key is missing, and which misspelt one was meant", () => {
    expect(report(type, { Mode: "fast", cuont: 1 }).map((problem) => problem.message)).toEqual([
      'The key "mode" ("fast" | "exact") is missing; "Mode" may be a misspelling of it.',
      'The key "count" (integer from 0 to 4294967295) is missing; "cuont" may be a misspelling of it.',
    ]);
    expect(one(object({ key: "mode", type: string }), { other: 1 })).toEqual({
      path: "/mode",
      expected: "string",
      message: 'The key "mode" (string) is missing.',
    });
  });

  test("give JSON Pointers", () => {
    const nested = object({ key: "a/b~c", type: { kind: "array", items: object({ key: "", type: number }) } });
    expect(one(nested, { "a/b~c": [{ "": 1 }, { "": "x" }] })?.path).toBe("/a~1b~0c/1/");
  });

  test("report a wrong `$schema` at /$schema", () => {
    const marked: TypeModel = { kind: "object", fields: [], urn: "urn:x:1" };
    expect(report(marked, {})).toEqual([]);
    expect(one(marked, { $schema: "urn:y" })).toEqual({
      path: "/$schema",
      expected: '"urn:x:1"',
      value: "urn:y",
      message: 'Expected "urn:x:1", got "urn:y".',
    });
  });

  test("refuse unknown keys when asked to, with the key that was meant", () => {
    expect(report(type, { mode: "fast", count: 1, extra: 1 })).toEqual([]);
    const optional = object({ key: "limit", type: { kind: "number" }, optional: true });
    expect(
      report(optional, { limt: 1, other: 2 }, {}, { strict: true }).map((problem) => [problem.path, problem.message]),
    ).toEqual([
      ["/limt", 'The key "limt" is not known. Did you mean "limit"?'],
      ["/other", 'The key "other" is not known.'],
    ]);
    expect(report({ kind: "map", values: number }, { a: 1 }, {}, { strict: true })).toEqual([]);
    const headers: TypeModel = {
      kind: "object",
      fields: [{ key: "limit", type: number }],
      patterns: [{ pattern: "^x-[\\s\\S]*$", text: "`x-${string}`", type: number }],
    };
    expect(
      report(headers, { "x-limit": "1", limt: 1, y: 2 }, {}, { strict: true }).map(({ path, message }) => [
        path,
        message,
      ]),
    ).toEqual([
      ["/limit", 'The key "limit" (number) is missing; "limt" may be a misspelling of it.'],
      ["/x-limit", 'Expected number, got "1".'],
      ["/limt", 'The key "limt" is not known and does not match /^x-[\\s\\S]*$/. Did you mean "limit"?'],
      ["/y", 'The key "y" is not known and does not match /^x-[\\s\\S]*$/.'],
    ]);
    expect(
      report({ kind: "object", fields: [], urn: "urn:x:1" }, { $schema: "urn:x:1" }, {}, { strict: true }),
    ).toEqual([]);
  });
});

describe("unions", () => {
  const circle = object({ key: "kind", type: { kind: "literal", value: "circle" } }, { key: "radius", type: number });
  const square = object({ key: "kind", type: { kind: "literal", value: "square" } }, { key: "size", type: number });
  const shape: TypeModel = {
    kind: "union",
    members: [
      { kind: "ref", name: "Circle" },
      { kind: "ref", name: "Square" },
      { kind: "literal", value: null },
    ],
  };
  const definitions = { Circle: circle, Square: square };

  test("go by the field that tells the members apart", () => {
    expect(one(shape, { kind: "square", size: "x" }, definitions)?.path).toBe("/size");
    expect(one(shape, { kind: "sqare" }, definitions)).toMatchObject({
      path: "/kind",
      expected: '"circle" | "square"',
      value: "sqare",
    });
    expect(one(shape, {}, definitions)).toMatchObject({ path: "/kind", expected: '"circle" | "square"' });
    expect(one(shape, 1, definitions)).toMatchObject({ path: "", expected: "Circle | Square | null" });
  });

  test("else by the member with the fewest problems", () => {
    const first = object({ key: "a", type: number }, { key: "b", type: number }, { key: "c", type: number });
    const second = object({ key: "x", type: number }, { key: "y", type: string });
    expect(report({ kind: "union", members: [first, second] }, { x: 1, y: 2 }).map((problem) => problem.path)).toEqual([
      "/y",
    ]);
  });

  test("know the keys of every member that accepts the value", () => {
    const inner = (key: string): TypeModel => object({ key: "in", type: object({ key, type: string }) });
    for (const member of [(key: string) => object({ key, type: string }), inner]) {
      const either: TypeModel = { kind: "union", members: [member("a"), member("b"), member("c")] };
      const value = (more: object): object =>
        member === inner ? { in: { a: "x", b: "y", ...more } } : { a: "x", b: "y", ...more };
      const paths = (more: object): readonly string[] =>
        report(either, value(more), {}, { strict: true }).map(({ path }) => path);
      const at = member === inner ? "/in" : "";
      expect(paths({})).toEqual([]);
      expect(paths({ d: 1 })).toEqual([`${at}/d`]);
      // The third member does not accept the value, so that its key is not known.
      expect(paths({ c: 1 })).toEqual([`${at}/c`]);
    }
  });

  test("stay quick, and never empty, for values that try every way", () => {
    const link = (key: string): TypeModel =>
      object({ key: "next", type: { kind: "ref", name: "Link" }, optional: true }, { key, type: number });
    const twins = { Link: { kind: "union", members: [link("a"), link("b"), link("c")] } as TypeModel };
    let value: unknown = {};
    for (let depth = 0; depth < 400; depth++) value = { next: value, a: 1, b: 1, c: 1, d: 1 };
    for (const strict of [false, true]) {
      const start = processorTime();
      const problems = report({ kind: "ref", name: "Link" }, value, twins, { strict });
      expect(processorTime() - start).toBeLessThan(5000);
      expect(problems.length).toBeGreaterThan(0);
    }
  });
});

describe("limits", () => {
  test("a legal value may be large", () => {
    const values = Array.from({ length: 250_000 }, (_, index) => index);
    const numbers = object({ key: "values", type: { kind: "array", items: number } });
    expect(report(numbers, { values }, {}, { strict: true })).toEqual([]);
    const orNull: TypeModel = { kind: "union", members: [numbers, { kind: "literal", value: null }] };
    expect(report(orNull, { values }, {}, { strict: true })).toEqual([]);
    const either: TypeModel = { kind: "union", members: [object({ key: "name", type: string }), numbers] };
    expect(report(either, { values }, {}, { strict: true, isLegal: true })).toEqual([]);
  });

  test("at most 100 problems", () => {
    expect(
      report(
        { kind: "array", items: number },
        Array.from({ length: 1000 }, () => "x"),
      ),
    ).toHaveLength(100);
  });

  test("values are shortened to 100 characters, without breaking a character", () => {
    expect(one(number, "a".repeat(1e6))?.value).toBe(`${"a".repeat(99)}…`);
    expect(one(number, `${"a".repeat(98)}😀😀`)?.value).toBe(`${"a".repeat(98)}…`);
    const shown = one(
      number,
      Array.from({ length: 1e5 }, (_, index) => index),
    )?.value;
    expect(shown).toMatch(/^\[0,1,2,.*…$/);
    expect(String(shown)).toHaveLength(100);
    expect(one(number, { a: [1, "x"] })?.value).toEqual({ a: [1, "x"] });
  });

  test("secrets are never shown, at any depth", () => {
    for (const key of [
      "password",
      "apiToken",
      "client_secret",
      "api-key",
      "Authorization",
      "privateKey",
      "credentials",
      "sessionCookie",
    ]) {
      const [problem] = report(object({ key, type: number }), { [key]: "hunter2" });
      expect(JSON.stringify(problem)).not.toContain("hunter2");
      expect(problem).toEqual({ path: `/${key}`, expected: "number", message: "Expected number, got another value." });
      expect(JSON.stringify(one(number, { deep: { [key]: "hunter2" } }))).not.toContain("hunter2");
    }
    expect(one(object({ key: "keyword", type: number }), { keyword: "x" })?.value).toBe("x");
    const keys = object({ key: "apiKey", type: { kind: "array", items: object({ key: "id", type: string }) } });
    expect(one(keys, { apiKey: [{ id: 4711 }] })).toEqual({
      path: "/apiKey/0/id",
      expected: "string",
      message: "Expected string, got another value.",
    });
  });

  test("what JSON cannot hold is named, not printed", () => {
    expect(one(string, Number.POSITIVE_INFINITY)?.message).toBe('Expected string, got "Infinity".');
    expect(one(string, () => 1)?.message).toBe('Expected string, got "a function".');
    expect(one(string, undefined)?.message).toBe("Expected string, got nothing.");
  });
});
