import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { parseJsonBody } from "../../../../../runtime/fronts/http/parse-json.ts";

const file = join(import.meta.dirname, "../../../../fixtures/json-test-suite/parsing.jsonl");

type Row = readonly [name: string, text: string] | readonly [name: string, text: null, base64: string];

const rows: readonly (readonly [name: string, bytes: Buffer])[] = [
  ...readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row)
    .map(([name, text, base64]) => [name, text === null ? Buffer.from(base64, "base64") : Buffer.from(text)] as const),
  ["n_structure_100000_opening_arrays", Buffer.from("[".repeat(100_000))],
  ["n_structure_open_array_object", Buffer.from(`${'[{"":'.repeat(50_000)}\n`)],
];

/** The kind with which a body is refused, else `accepted`. Anything but a `ToolError` fails the test. */
function outcome(bytes: Buffer): string {
  try {
    parseJsonBody(bytes);
    return "accepted";
  } catch (error) {
    if (error instanceof ToolError) return error.kind;
    throw error;
  }
}

function outcomes(prefix: string): Readonly<Record<string, string>> {
  const chosen = rows.filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(chosen.map(([name, bytes]) => [name.slice(prefix.length), outcome(bytes)]));
}

function otherThan(usual: string, found: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(found).filter(([, kind]) => kind !== usual));
}

describe("JSONTestSuite", () => {
  test("is complete", () => expect(rows.length).toBe(318));

  test("what must be accepted is", () => expect(otherThan("accepted", outcomes("y_"))).toEqual({}));

  test("what must be refused is; what is nested too deep by its depth, before it is parsed", () => {
    expect(otherThan("malformed-json", outcomes("n_"))).toEqual({
      structure_100000_opening_arrays: "bad-request",
      structure_open_array_object: "bad-request",
    });
  });

  test("what is left open: a number that is not finite is refused, a lone surrogate in an escape is not", () => {
    const open = outcomes("i_");
    const byKind = Map.groupBy(Object.keys(open), (name) => open[name]);
    expect(byKind.get("bad-request")).toEqual([
      "number_huge_exp",
      "number_neg_int_huge_exp",
      "number_pos_double_huge_exp",
      "number_real_neg_overflow",
      "number_real_pos_overflow",
    ]);
    // UTF-16, bytes that are no UTF-8, and a byte order mark.
    expect(byKind.get("malformed-json")).toHaveLength(14);
    expect(
      byKind.get("malformed-json")?.filter((name) => !/utf|UTF|latin|overlong|continuation|unicode/.test(name)),
    ).toEqual([]);
    expect(byKind.get("accepted")).toHaveLength(16);
  });
});
