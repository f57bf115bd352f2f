import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { referee } from "../unit/plugin/emit/referee.ts";

/** Rates the referee before it judges us: ajv on what concerns us of JSON-Schema-Test-Suite. */
const file = join(import.meta.dirname, "../fixtures/json-schema-test-suite/draft2020-12.jsonl");

interface Group {
  readonly file: string;
  readonly description: string;
  readonly schema: boolean | Readonly<Record<string, unknown>>;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const groups = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Group);

function wrong(judgeOf: (schema: Group["schema"]) => (value: unknown) => boolean): readonly string[] {
  return groups.flatMap(({ file: name, description, schema, tests }) => {
    const judge = judgeOf(schema);
    const missed = tests.filter(({ data, valid }) => judge(data) !== valid);
    return missed.map((missedTest) => `${name}: ${description}: ${missedTest.description}`);
  });
}

describe("ajv on JSON-Schema-Test-Suite", () => {
  test("there are enough cases that concern us", () => {
    expect(groups.flatMap(({ tests }) => tests).length).toBeGreaterThan(400);
  });

  test("as it comes, it misjudges the name `__proto__`", () => {
    const ajv = new Ajv2020({ strict: false, strictNumbers: true, ownProperties: true });
    expect(wrong((schema) => ajv.compile(schema) as (value: unknown) => boolean)).toEqual([
      "properties.json: properties whose names are Javascript object property names: __proto__ not valid",
    ]);
  });

  test("as our referee, it is right", () => {
    expect(wrong((schema) => (typeof schema === "boolean" ? () => schema : referee(schema as never)))).toEqual([]);
  });
});
