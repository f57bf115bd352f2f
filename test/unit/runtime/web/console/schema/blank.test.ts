import { expect, test } from "vitest";
import { blankOf } from "../../../../../../runtime/web/console/schema/blank.ts";
import { unfitParts } from "../../../../../../runtime/web/console/schema/unfit.ts";
import type { Schema } from "../../../../../../runtime/web/console/schema/schema.ts";

const object = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema => ({
  type: "object",
  properties,
  required,
});

test.each<readonly [string, Schema, unknown, readonly string[]]>([
  ["a boolean", { type: "boolean" }, null, [""]],
  ["a text", { type: "string", minLength: 3 }, null, [""]],
  ["a number", { type: "integer" }, null, [""]],
  ["a choice", { enum: ["a", "b"] }, null, [""]],
  ["several types", { type: ["string", "boolean"] }, null, [""]],
  ["an example of the author", { type: "string", examples: ["yes"] }, null, [""]],
  ["a default of the author", { type: "boolean", default: true }, true, []],
  ["a list", { type: "array", items: { type: "string" }, minItems: 1 }, [], [""]],
  ["a pair", { type: "array", prefixItems: [{ type: "string" }, { const: 7 }] }, [null, 7], ["/0"]],
  [
    "an object",
    object({ approved: { type: "boolean" }, reason: { type: "string" }, note: { type: "string" } }, [
      "approved",
      "reason",
    ]),
    { approved: null, reason: null },
    ["/approved", "/reason"],
  ],
  [
    "one of several objects",
    { anyOf: [object({ kind: { const: "yes" }, by: { type: "string" } }), object({ kind: { const: "no" } })] },
    { kind: "yes", by: null },
    ["/by"],
  ],
])("the form of %s begins empty, and what is required does not fit", (_, schema, blank, unfit) => {
  expect(blankOf(schema, schema)).toEqual(blank);
  expect([...unfitParts(blankOf(schema, schema), schema, schema, []).keys()]).toEqual(unfit);
});

test("a type that contains itself has an end", () => {
  const schema: Schema = { $ref: "#/$defs/Node", $defs: { Node: object({ next: { $ref: "#/$defs/Node" } }) } };
  expect(JSON.stringify(blankOf(schema, schema)).length).toBeLessThan(200);
});
