import type { ToolModel } from "../../../plugin/model/tool.ts";
import type { FieldModel, JsonLiteral, TypeModel } from "../../../plugin/model/type.ts";

type Schema = { readonly [key: string]: unknown };

/** A tool of `tools/list`, as far as rules read it. */
export interface ForeignTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Schema;
  readonly outputSchema?: Schema;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** The model that an author's code with these texts and types would have. `at` names the place in messages. */
export function modelOf(tool: ForeignTool, at: string): ToolModel {
  const position = { file: at, line: 1, column: 1, length: 1 };
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  const { inputSchema = {}, outputSchema } = tool;
  const type = typeOf(inputSchema, inputSchema, 0);
  return {
    name: tool.name,
    binding: tool.name,
    position,
    insertion: { offset: 0 },
    description: (tool.description ?? "").trim(),
    signature: "",
    ...(readOnlyHint === true && { readonly: true }),
    // A server that says that a tool does not only read has thought of its hints.
    ...((destructiveHint !== undefined || readOnlyHint === false) && { destructive: destructiveHint ?? false }),
    ...(Array.isArray(inputSchema["examples"]) && {
      examples: inputSchema["examples"].map((request) => ({ request: request as JsonLiteral })),
    }),
    parameters: [],
    ...(type.kind === "object" && type.fields.length > 0 && { request: { type } }),
    result:
      outputSchema === undefined ? { kind: "content" } : { kind: "json", type: typeOf(outputSchema, outputSchema, 0) },
    definitions: {},
  };
}

/** The type of a schema. A reference that leads nowhere, or too deep, accepts everything. */
function typeOf(schema: Schema, root: Schema, depth: number): TypeModel {
  const { description, examples } = schema;
  const texts = {
    ...(typeof description === "string" && { description }),
    ...(Array.isArray(examples) && { examples: examples as JsonLiteral[] }),
  };
  return { ...shapeOf(schema, root, depth), ...texts };
}

function shapeOf(schema: Schema, root: Schema, depth: number): TypeModel {
  if (depth > 8) return { kind: "unknown" };
  const inner = (one: unknown): TypeModel => (isSchema(one) ? typeOf(one, root, depth + 1) : { kind: "unknown" });
  const { $ref, enum: values, const: value, type, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === "string") return inner(follow($ref, root));
  if (value !== undefined) return { kind: "literal", value: value as string };
  if (Array.isArray(values)) {
    const members = values.map((one) => ({ kind: "literal" as const, value: one as string }));
    return members.length === 1 && members[0] ? members[0] : { kind: "union", members };
  }
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return unionOf(choices.map(inner));
  if (Array.isArray(allOf) && allOf.length === 1) return inner(allOf[0]);
  if (Array.isArray(type)) return unionOf(type.map((one) => inner({ ...schema, type: one as string })));
  return plainType(schema, inner);
}

function plainType(schema: Schema, inner: (one: unknown) => TypeModel): TypeModel {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, maxItems } = schema;
  switch (schema["type"]) {
    case "string":
      return { kind: "string" };
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "literal", value: null };
    case "number":
    case "integer":
      return {
        kind: "number",
        ...(typeof minimum === "number" && { minimum }),
        ...(typeof maximum === "number" && { maximum }),
        ...(typeof exclusiveMinimum === "number" && { exclusiveMinimum }),
        ...(typeof exclusiveMaximum === "number" && { exclusiveMaximum }),
      };
    case "array":
      return { kind: "array", items: inner(schema["items"]), ...(typeof maxItems === "number" && { maxItems }) };
    default: {
      const { properties, additionalProperties, required } = schema;
      if (!isSchema(properties) && schema["type"] !== "object") return { kind: "unknown" };
      const needed = new Set(Array.isArray(required) ? required : []);
      const fields = Object.entries(isSchema(properties) ? properties : {}).map(([key, one]) =>
        fieldOf(key, one, needed.has(key), inner),
      );
      return { kind: "object", fields, ...(isSchema(additionalProperties) && { index: inner(additionalProperties) }) };
    }
  }
}

function fieldOf(key: string, schema: unknown, isNeeded: boolean, inner: (one: unknown) => TypeModel): FieldModel {
  const { description, default: value, examples } = isSchema(schema) ? schema : {};
  return {
    key,
    type: inner(schema),
    ...(typeof description === "string" && { description: description.trim() }),
    ...(Array.isArray(examples) && { examples: examples as JsonLiteral[] }),
    ...((!isNeeded || value !== undefined) && { optional: true }),
    ...(value !== undefined && { default: value as JsonLiteral }),
  };
}

function unionOf(members: readonly TypeModel[]): TypeModel {
  const flat = members.flatMap((one) => (one.kind === "union" ? one.members : [one]));
  return flat.length === 1 && flat[0] ? flat[0] : { kind: "union", members: flat };
}

function follow(ref: string, root: Schema): unknown {
  return ref
    .split("/")
    .slice(1)
    .reduce<unknown>((at, key) => (isSchema(at) ? at[key.replaceAll("~1", "/")] : undefined), root);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
