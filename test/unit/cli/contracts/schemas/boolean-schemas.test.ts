import { expect, test } from "vitest";
import { compareContracts } from "../../../../../cli/contracts/compare-contracts.ts";
import type { Contract } from "../../../../../cli/contracts/contract.ts";
import type { JsonSchema } from "../../../../../runtime/contract/contract.ts";

const contractOf = (schema: unknown): Contract => ({
  name: "",
  version: "",
  tools: [{ name: "tool", description: "", annotations: {}, "request-schema": schema as JsonSchema }],
  isBrief: true,
});

/** Severities and witnesses of the differences between two requests. */
function found(before: unknown, after: unknown): readonly unknown[] {
  return compareContracts(contractOf(before), contractOf(after)).map(({ severity, witness }) =>
    witness === undefined ? severity : [severity, witness.value],
  );
}

const object = (a: unknown, more: object = {}): object => ({ type: "object", properties: { a }, ...more });
const text = { type: "string" };
const list = (items: unknown): object => object({ type: "array", items });

test.each([
  ["additionalProperties: true", object(text, { additionalProperties: true }), object(text), []],
  ["a key that is called not", object(text, { properties: { a: text, not: {} } }), object(text), ["behaviour"]],
  ["not: false", object({ not: false }), object({}), []],
  ["not: true", object({ not: true }), object(text), ["additive"]],
  ["items: true", list(true), list({}), []],
  [
    "a closed object",
    object(text, { additionalProperties: true }),
    object(text, { additionalProperties: false }),
    [["breaking", { other: "a" }]],
  ],
  ["elements of any type", list(true), list(text), [["breaking", { a: [0] }]]],
  ["elements of one type", list(text), list(true), ["additive"]],
  ["a field of any type", object(true), object(text), [["breaking", { a: 0 }]]],
  ["a union", object({ anyOf: [true, text] }), object(text), [["breaking", { a: 0 }]]],
  ["a definition", object({ $ref: "#/$defs/X" }, { $defs: { X: true } }), object(text), [["breaking", { a: 0 }]]],
  ["a whole request", true, object(text), [["breaking", "a"]]],
  ["data", object({ const: true, default: true }), object({ enum: [true], default: true }), []],
] as const)("a boolean schema of a foreign document: %s", (_name, before, after, expected) => {
  expect(found(before, after)).toEqual(expected);
});

test("a schema that accepts nothing is named", () => {
  const [change] = compareContracts(contractOf(object({ not: true })), contractOf(object(text)));
  expect(change?.message).toContain("nothing became string");
});
