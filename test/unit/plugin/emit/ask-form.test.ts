import { join } from "node:path";
import { expect, test } from "vitest";
import { insertAsks } from "../../../../plugin/emit/ask-form.ts";
import type { ObjectType, TypeModel } from "../../../../plugin/model/type.ts";
import { openProject } from "../../../support/open-project.ts";

test("each question gets the form of its type, behind its last argument", () => {
  const folder = join(import.meta.dirname, "../../../golden");
  const project = openProject({ root: folder, rules: { "missing-field-text": "off" } });
  const { module } = project.read(join(folder, "questions/tool.ts"));
  project.dispose();
  const texts = insertAsks(module.asks ?? []).map(({ text }) => text);
  const color = { type: "string", enum: ["red", "green"] };
  expect(texts).toEqual([
    `,${JSON.stringify({
      schema: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 50, description: "Your name." },
          mail: { type: "string", format: "email", description: "Your mail address." },
          age: { type: "integer", minimum: 0, maximum: 150, description: "Your age.", default: 18 },
          color: { ...color, description: "Your colour." },
          others: { type: "array", items: color, maxItems: 2, description: "Your other colours." },
          sure: { type: "boolean", title: "Sure?", description: "Whether you are sure." },
        },
        required: ["name", "color", "others", "sure"],
      },
    })}`,
    ',void 0,{"schema":{"type":"object","properties":{"answer":{"type":"boolean"}},"required":["answer"]},"single":true}',
    ',void 0,{"schema":{"type":"object","properties":{"answer":{"type":"string","enum":["red","green"]}},"required":["answer"]},"single":true}',
  ]);
});

const literal = (value: string | number): TypeModel => ({ kind: "literal", value });

test.each<[TypeModel, object]>([
  [{ kind: "number" }, { type: "number" }],
  [
    { kind: "number", minimum: 1, maximum: 2 },
    { type: "number", minimum: 1, maximum: 2 },
  ],
  [
    { kind: "number", integer: "int32" },
    { type: "integer", minimum: -2_147_483_648, maximum: 2_147_483_647 },
  ],
  [
    { kind: "number", integer: "uint32", minimum: 5 },
    { type: "integer", minimum: 5, maximum: 4_294_967_295 },
  ],
  [
    { kind: "number", integer: "uint64", maximum: 9 },
    { type: "integer", minimum: 0, maximum: 9 },
  ],
  [
    { kind: "number", integer: "integer" },
    { type: "integer", minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 },
  ],
  [
    { kind: "string", minLength: 0 },
    { type: "string", minLength: 0 },
  ],
  [literal("a"), { type: "string", enum: ["a"] }],
  [literal(1), {}],
  [
    { kind: "ref", name: "Both" },
    { type: "string", enum: ["a", "b", "c"] },
  ],
  [{ kind: "union", members: [literal("a"), literal(1)] }, {}],
  [
    { kind: "array", items: { kind: "ref", name: "Both" }, minItems: 1 },
    { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 1 },
  ],
  [
    { kind: "array", items: { kind: "string" }, maxItems: 0 },
    { type: "array", items: { type: "string", enum: [] }, maxItems: 0 },
  ],
  [{ kind: "unknown" }, {}],
])("a field of the type %j has the schema %j", (type, schema) => {
  const inner: TypeModel = { kind: "union", members: [literal("b"), literal("c")] };
  const definitions = { Both: { kind: "union", members: [literal("a"), inner] } } as const;
  const form: ObjectType = { kind: "object", fields: [{ key: "a", type, optional: true }] };
  expect(insertAsks([{ offset: 7, hasOptions: true, type: form, definitions }])).toEqual([
    { offset: 7, text: `,${JSON.stringify({ schema: { type: "object", properties: { a: schema } } })}` },
  ]);
});
