import type { JsonSchema, JsonValue } from "../../../runtime/contract/contract.ts";
import { dialect } from "../../../runtime/contract/validation/dialect.ts";
import type { FieldModel, ObjectType, TupleType, TypeModel } from "../../model/type.ts";
import { scalarSchema } from "./scalar-schema.ts";
import { type SchemaContext, ofClass } from "./schema-context.ts";
import { unionSchema } from "./union-schema.ts";
import {
  isOptional,
  keyPatterns,
  requiredElements,
  resolveType,
  type Definitions,
  type Direction,
} from "../facts/type-facts.ts";

/**
 * The full JSON Schema 2020-12 of a request (`input`) or result (`output`), for the service definition and OpenAPI. The
 * root is inline, named types are local `$defs`, and it accepts exactly what the generated validator accepts.
 */
export function fullSchema(type: TypeModel, definitions: Definitions, direction: Direction): JsonSchema {
  const context: SchemaContext = { definitions, direction, names: new Map(), keys: new Set(), made: new Map() };
  const root = typeSchema(resolveType(type, definitions), context);
  const own = type.kind === "ref" ? texts(type) : {};
  const $defs: Record<string, JsonSchema> = {};
  // This loop also visits the names that are added while it runs: definitions that only other definitions use come
  // last.
  for (const [name, key] of context.names) $defs[key] = typeSchema(definitions[name] ?? { kind: "unknown" }, context);
  return { $schema: dialect, ...root, ...own, ...(context.names.size > 0 && { $defs }) };
}

/** The schema of one type with its texts; named types become references. */
export function typeSchema(type: TypeModel, context: SchemaContext): JsonSchema {
  const schema = context.made.get(type) ?? makeSchema(type, context);
  context.made.set(type, schema);
  return schema;
}

function makeSchema(type: TypeModel, context: SchemaContext): JsonSchema {
  const schema = bareSchema(type, context);
  if (type.kind === "object") return schema;
  return {
    ...schema,
    ...texts(type),
    ...(type.examples !== undefined && { examples: type.examples as readonly JsonValue[] }),
  };
}

function bareSchema(type: TypeModel, context: SchemaContext): JsonSchema {
  switch (type.kind) {
    case "unknown":
      return {};
    case "never":
      return { not: {} };
    case "array":
      return {
        type: "array",
        items: typeSchema(type.items, context),
        ...lengths(type),
        ...(type.uniqueItems && { uniqueItems: true }),
      };
    case "set":
      return {
        type: "array",
        items: typeSchema(type.items, context),
        ...lengths(type),
        uniqueItems: true,
        ...ofClass("Set", context),
      };
    case "map":
      return { type: "object", additionalProperties: typeSchema(type.values, context), ...ofClass("Map", context) };
    case "tuple":
      return tupleSchema(type, context);
    case "object":
      return objectSchema(type, context);
    case "union":
      return unionSchema(type, context, typeSchema);
    case "ref":
      return { $ref: `#/$defs/${definitionKey(type.name, context)}` };
    default:
      return scalarSchema(type, context);
  }
}

/** Returns a key for `$defs` with only letters that need no escape in a reference: `Page<Item>` becomes `Page_Item`. */
function definitionKey(name: string, { names, keys }: SchemaContext): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const plain = name.replaceAll(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "") || "Type";
  let key = plain;
  for (let number = 2; keys.has(key) || key === "__proto__"; number++) key = `${plain}_${number}`;
  names.set(name, key);
  keys.add(key);
  return key;
}

function lengths(type: { readonly minItems?: number; readonly maxItems?: number }): JsonSchema {
  return {
    ...(type.minItems !== undefined && { minItems: type.minItems }),
    ...(type.maxItems !== undefined && { maxItems: type.maxItems }),
  };
}

function tupleSchema(type: TupleType, context: SchemaContext): JsonSchema {
  const minItems = requiredElements(type.elements);
  return {
    type: "array",
    ...(type.elements.length > 0 && {
      prefixItems: type.elements.map((element) => ({
        ...(element.name !== undefined && { title: element.name }),
        ...typeSchema(element.type, context),
      })),
    }),
    items: type.rest === undefined ? false : typeSchema(type.rest, context),
    ...(minItems > 0 && { minItems }),
  };
}

function objectSchema(type: ObjectType, context: SchemaContext): JsonSchema {
  const properties: [string, JsonSchema | false][] = type.fields.map((field) => [
    field.key,
    field.type.kind === "never" ? false : fieldSchema(field, context),
  ]);
  const required = type.fields.filter((field) => !isOptional(field)).map((field) => field.key);
  if (type.urn !== undefined) {
    properties.unshift(["$schema", { type: "string", const: type.urn }]);
    if (context.direction === "output") required.unshift("$schema");
  }
  const patterns = keyPatterns(type).map((entry) => [entry.pattern, typeSchema(entry.type, context)]);
  return {
    ...texts(type),
    ...(type.examples !== undefined && { examples: type.examples as readonly JsonValue[] }),
    type: "object",
    // `Object.fromEntries` can create own keys of any name, even `__proto__`.
    ...((properties.length > 0 || (patterns.length === 0 && type.index === undefined)) && {
      properties: Object.fromEntries(properties),
    }),
    ...(required.length > 0 && { required }),
    ...(patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) }),
    ...(type.index !== undefined && {
      additionalProperties: type.index.kind === "never" ? false : typeSchema(type.index, context),
    }),
  };
}

function fieldSchema(field: FieldModel, context: SchemaContext): JsonSchema {
  return {
    ...typeSchema(field.type, context),
    ...texts(field),
    ...(field.default !== undefined && { default: field.default }),
    ...(field.examples !== undefined && { examples: field.examples as readonly JsonValue[] }),
    ...(field.header !== undefined && { "x-mcp-header": field.header }),
  };
}

function texts(model: {
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: true | string;
}): JsonSchema {
  const note = typeof model.deprecated === "string" ? `Deprecated: ${model.deprecated}` : undefined;
  const description = [model.description, note].filter((text) => text !== undefined).join("\n\n");
  return {
    ...(model.title !== undefined && { title: model.title }),
    ...(description !== "" && { description }),
    ...(model.deprecated !== undefined && { deprecated: true }),
  };
}
