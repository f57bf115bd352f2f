import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { referee } from "../unit/emit/referee.ts";

/**
 * Rates the referee before it judges us: ajv on the required cases of JSON-Schema-Test-Suite for 2020-12. The suite is
 * data of others and no part of this repository; `JSON_SCHEMA_TEST_SUITE=<checkout>` names it.
 */
const suite = resolve(
  process.env["JSON_SCHEMA_TEST_SUITE"] ?? join(import.meta.dirname, "../../../shared/json-schema-test-suite"),
);
const folder = join(suite, "tests/draft2020-12");
const present = existsSync(folder);
if (!present)
  console.warn(`Skipped: JSON-Schema-Test-Suite is not at ${suite}; JSON_SCHEMA_TEST_SUITE names another place.`);

interface Group {
  readonly description: string;
  readonly schema: boolean | Readonly<Record<string, unknown>>;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** Keywords of the schemas that we make; all others the referee may get wrong. */
const ours = new Set(
  (
    "$schema $comment $defs $ref type const enum anyOf allOf minLength maxLength pattern contentEncoding minimum maximum " +
    "exclusiveMinimum exclusiveMaximum multipleOf items prefixItems minItems maxItems uniqueItems properties required " +
    "additionalProperties propertyNames title description default examples deprecated"
  ).split(" "),
);

/** Whether a schema says nothing but what ours may say; what stands in `enum` and the like is data. */
function isOurs(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  return Object.entries(schema).every(([key, value]) => {
    if (!ours.has(key)) return false;
    if (key === "$schema") return value === "https://json-schema.org/draft/2020-12/schema";
    if (key === "$ref") return /^#\/\$defs\/[\w.-]+$/.test(String(value));
    if (key === "enum") return Array.isArray(value) && value.length > 0;
    if (key === "const" || key === "default" || key === "examples") return true;
    if (key === "properties" || key === "$defs") return Object.values(value as object).every(isOurs);
    return Array.isArray(value) ? value.every(isOurs) : isOurs(value);
  });
}

function groups(): readonly (Group & { readonly file: string })[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(folder, file), "utf8")) as Group[]).map((group) => ({ ...group, file })),
    );
}

function wrong(judgeOf: (schema: Group["schema"]) => (value: unknown) => boolean): readonly string[] {
  return groups()
    .filter(({ schema }) => isOurs(schema))
    .flatMap(({ file, description, schema, tests }) => {
      const judge = judgeOf(schema);
      const missed = tests.filter(({ data, valid }) => judge(data) !== valid);
      return missed.map((missedTest) => `${file}: ${description}: ${missedTest.description}`);
    });
}

describe.skipIf(!present)("ajv on JSON-Schema-Test-Suite", () => {
  test("there are enough cases that concern us", () => {
    const tests = groups().flatMap(({ schema, tests }) => (isOurs(schema) ? tests : []));
    expect(tests.length).toBeGreaterThan(400);
  });

  test("as it comes, it misjudges the name `__proto__`", () => {
    const plain = (schema: Group["schema"]): ((value: unknown) => boolean) =>
      new Ajv2020({ strict: false, strictNumbers: true, ownProperties: true }).compile(schema) as never;
    expect(wrong(plain)).toEqual([
      "properties.json: properties whose names are Javascript object property names: __proto__ not valid",
    ]);
  });

  test("as our referee, it is right", () => {
    expect(wrong((schema) => (typeof schema === "boolean" ? () => schema : referee(schema as never)))).toEqual([]);
  });
});
