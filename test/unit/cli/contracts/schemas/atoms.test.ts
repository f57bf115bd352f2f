import { expect, test } from "vitest";
import { atomsOf } from "../../../../../cli/contracts/schemas/atoms.ts";
import type { FullSchema } from "../../../../../runtime/contract/validation/report/schema.ts";

const of = (schema: FullSchema) => atomsOf(schema, { $defs: { A: { type: "string" } } });

test("a schema is split into its alternatives", () => {
  const kinds = (schema: FullSchema) =>
    of(schema).map((atom) => (atom.kind === "value" ? JSON.stringify(atom.value) : atom.kind));
  expect(kinds({})).toEqual(["any"]);
  expect(kinds({ type: ["null", "integer", "array"] })).toEqual(["null", "number", "array"]);
  expect(kinds({ type: "boolean" })).toEqual(["true", "false"]);
  expect(kinds({ enum: [1, "a"] })).toEqual(["1", '"a"']);
  expect(kinds({ anyOf: [{ const: 0 }, { anyOf: [{ $ref: "#/$defs/A" }, { type: "object" }] }] })).toEqual([
    "0",
    "string",
    "object",
  ]);
});

test("unions are followed for fifty levels, since one may refer to itself", () => {
  const nested = (levels: number): FullSchema => (levels === 0 ? { type: "string" } : { anyOf: [nested(levels - 1)] });
  expect([of(nested(51)).length, of(nested(52)).length]).toEqual([1, 0]);
});
