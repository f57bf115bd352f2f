import type { JsonObject, JsonSchema, JsonValue, McpDefinition } from "../../../runtime/contract/contract.ts";
import { shareParts } from "./shared-parts.ts";
import { inlinedSize, isSchema, isSchemaList, recursiveDefinitions, refOf, refsIn } from "./schema-refs.ts";

/** Key in a tool's MCP `_meta` for the schema URN of its request. */
export const schemaMetaKey = "io.tenon/schema";

const noArguments: JsonSchema = { type: "object", additionalProperties: false };
/** Definitions are inlined until the schema would exceed this size, in characters. */
const largestInlined = 60_000;

/**
 * Makes the portable input schema that every MCP host accepts from the full one: an object at the root, no `$schema`
 * keyword or optional property, references only for types that contain themselves and in large schemas, `enum` for a
 * fixed value, and no unknown keys. It accepts nothing that the full schema refuses.
 */
export function portableInputSchema(full: JsonSchema | undefined): JsonSchema {
  if (full === undefined) return noArguments;
  const { schema, isLarge } = rewrite(full, true);
  const merged = schema["type"] === "object" ? schema : mergeRoot(schema);
  return isLarge ? shareParts(merged) : merged;
}

/**
 * Makes the portable form of a result's schema: equivalent to the full schema, wrapped as `{ "result": … }` unless it
 * is an object.
 */
export function portableOutputSchema(full: JsonSchema): Pick<McpDefinition, "outputSchema" | "wrapped"> {
  const { schema: rewritten, isLarge } = rewrite(full, false);
  const { $defs, ...schema } = rewritten;
  const shared = (one: JsonSchema): JsonSchema => (isLarge ? shareParts(one) : one);
  if (schema["type"] === "object")
    return { outputSchema: shared({ ...schema, ...($defs !== undefined && { $defs }) }) };
  const outputSchema: JsonSchema = {
    type: "object",
    properties: { result: schema },
    required: ["result"],
    ...($defs !== undefined && { $defs }),
  };
  return { outputSchema: shared(outputSchema), wrapped: true };
}

interface Rewriting {
  readonly input: boolean;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** Definitions that cannot be inlined. */
  readonly kept: ReadonlySet<string>;
  /** Cache of rewritten schemas by schema, since a type may be used in many places. */
  readonly rewritten: Map<JsonSchema, JsonSchema>;
}

interface Rewritten {
  readonly schema: JsonSchema;
  /** It would be too large with all its definitions inlined. */
  readonly isLarge: boolean;
}

function rewrite(full: JsonSchema, input: boolean): Rewritten {
  const { $schema: _dialect, $defs, ...root } = full;
  const definitions = ($defs ?? {}) as Record<string, JsonSchema>;
  const recursive = recursiveDefinitions(definitions);
  const isSmall = inlinedSize(root, definitions, recursive) <= largestInlined;
  const kept = isSmall ? recursive : new Set(Object.keys(definitions));
  return { schema: rewriteWith(root, { input, definitions, kept, rewritten: new Map() }), isLarge: !isSmall };
}

function rewriteWith(root: JsonSchema, rewriting: Rewriting): JsonSchema {
  const { kept } = rewriting;
  const schema = rewriteSchema(root, rewriting);
  const used = new Set(refsIn(schema));
  const $defs: Record<string, JsonSchema> = {};
  for (const name of used) {
    if (!kept.has(name)) continue;
    const definition = rewriteDefinition(name, rewriting);
    $defs[name] = definition;
    for (const next of refsIn(definition)) used.add(next);
  }
  return used.size > 0 ? { ...schema, $defs } : schema;
}

function rewriteDefinition(name: string, rewriting: Rewriting): JsonSchema {
  return rewriteSchema(rewriting.definitions[name] ?? {}, rewriting);
}

function rewriteSchema(schema: JsonSchema, rewriting: Rewriting): JsonSchema {
  const known = rewriting.rewritten.get(schema);
  if (known !== undefined) return known;
  const result = rewriteNew(schema, rewriting);
  rewriting.rewritten.set(schema, result);
  return result;
}

function rewriteNew(schema: JsonSchema, rewriting: Rewriting): JsonSchema {
  const name = refOf(schema);
  if (name !== undefined && !rewriting.kept.has(name)) {
    const { $ref: _ref, ...annotations } = schema;
    return { ...rewriteDefinition(name, rewriting), ...annotations };
  }
  const result: Record<string, JsonValue | undefined> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$comment" || value === undefined) continue;
    if (key === "const" && rewriting.input) result["enum"] = [value];
    else if (key === "properties" || key === "patternProperties")
      result[key] = rewriteProperties(value as JsonObject, rewriting, schema);
    else if (isSchemaList(key, value)) result[key] = value.map((item) => rewriteSchema(item, rewriting));
    else if ((key === "items" || key === "additionalProperties") && isSchema(value))
      result[key] = rewriteSchema(value, rewriting);
    else result[key] = value;
  }
  if (rewriting.input && schema["type"] === "object") return closed(withoutPatterns(result), schema);
  // An unchanged schema stays the same object, so that both profiles share it, and it is printed and compared only
  // once.
  return Object.keys(schema).every((key) => Object.hasOwn(result, key) && result[key] === schema[key])
    ? schema
    : result;
}

/** Schema that accepts nothing. It replaces `false`, which some hosts do not support. */
const noKey: JsonSchema = { not: {} };

/** True if the property `$schema` is left out of an input. Required data keeps it: no value would fit without it. */
function isLeftOut(key: string, { required }: JsonSchema): boolean {
  return key === "$schema" && !(Array.isArray(required) && required.includes(key));
}

function rewriteProperties(properties: JsonObject, rewriting: Rewriting, owner: JsonSchema): JsonObject {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => !(rewriting.input && isLeftOut(key, owner)))
      .map(([key, value]) => [key, value === false ? noKey : rewriteSchema((value ?? {}) as JsonSchema, rewriting)]),
  );
}

/**
 * Replaces `patternProperties`, which few hosts support. If all values have the same type, this type is used for keys
 * of any name.
 */
function withoutPatterns(result: Record<string, JsonValue | undefined>): Record<string, JsonValue | undefined> {
  const { patternProperties, ...others } = result;
  if (patternProperties === undefined) return result;
  const [type, ...more] = Object.values(patternProperties as JsonObject);
  const isOne = [...more, result["additionalProperties"] ?? type].every(
    (other) => JSON.stringify(other) === JSON.stringify(type),
  );
  return isOne ? { ...others, additionalProperties: type } : result;
}

/**
 * Refuses the key `$schema`, which would be an ordinary key after its property was removed. An object then accepts no
 * unknown keys; a record accepts all keys but this one.
 */
function closed(result: Record<string, JsonValue | undefined>, full: JsonSchema): JsonSchema {
  if (result["additionalProperties"] === undefined)
    return { ...withoutRefusedKeys(result), additionalProperties: false };
  if (result["additionalProperties"] === false) return result;
  const wasRemoved = Object.keys(full["properties"] ?? {}).some((key) => isLeftOut(key, full));
  return wasRemoved ? { ...result, propertyNames: { pattern: "^(?!\\$schema$)" } } : result;
}

/** Removes properties whose schema accepts nothing: `additionalProperties: false` refuses these keys as well. */
function withoutRefusedKeys(result: Record<string, JsonValue | undefined>): JsonSchema {
  const { properties } = result;
  if (properties === undefined) return result;
  const kept = Object.entries(properties as JsonObject).filter(([, value]) => value !== noKey);
  return { ...result, properties: Object.fromEntries(kept) };
}

/**
 * Merges a root that is a union of objects into one object, since arguments are one flat object. It has the keys of all
 * members, of which only common ones are required. The validator still requires one of the members, and the emitter
 * warns about the union.
 */
function mergeRoot(schema: JsonSchema): JsonSchema {
  const members = ((schema["anyOf"] ?? []) as readonly JsonSchema[]).filter((member) => member["type"] === "object");
  const properties: Record<string, JsonValue> = {};
  for (const member of members) {
    for (const [key, value] of Object.entries((member["properties"] ?? {}) as JsonObject)) {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      properties[key] =
        known === undefined ? (value ?? {}) : mergeProperty(known as JsonSchema, (value ?? {}) as JsonSchema);
    }
  }
  const requiredBy = members.map((member) => (member["required"] ?? []) as readonly string[]);
  const required = (requiredBy[0] ?? []).filter((key) => requiredBy.every((keys) => keys.includes(key)));
  const $defs = schema["$defs"];
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...($defs !== undefined && { $defs }),
  };
}

function mergeProperty(first: JsonSchema, second: JsonSchema): JsonSchema {
  if (JSON.stringify(first) === JSON.stringify(second)) return first;
  const [left, right] = [first["enum"], second["enum"]];
  if (Array.isArray(left) && Array.isArray(right)) return { ...first, enum: [...new Set([...left, ...right])] };
  return { anyOf: [first, second] };
}
