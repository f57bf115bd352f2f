import { expect, test } from "vitest";
import { fullSchema } from "../../../../../plugin/emit/schema/json-schema.ts";
import type { TypeModel } from "../../../../../plugin/model/type.ts";
import { typeText } from "../../../../../runtime/contract/definition/type-text.ts";

test.each<[TypeModel, string]>([
  [{ kind: "bigint" }, "bigint | string"],
  [{ kind: "union", members: [{ kind: "bigint" }, { kind: "literal", value: null }] }, "bigint | string | null"],
  [{ kind: "union", members: [{ kind: "number" }, { kind: "bigint" }] }, "number | bigint | string"],
  [{ kind: "union", members: [{ kind: "bigint" }, { kind: "boolean" }] }, "bigint | string | boolean"],
])("a request takes %j as %s", (type, text) => {
  const schema = fullSchema(type, {}, "input");
  expect(typeText(schema, { direction: "request", refer: () => "unknown" })).toBe(text);
});
