import type { JsonObject, JsonSchema, JsonValue } from "../../../runtime/contract/contract.ts";
import { createJsonLength } from "./json-length.ts";
import { circularNames, groupNames } from "../facts/groups.ts";

export function isSchema(value: JsonValue): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchemaList(key: string, value: JsonValue): value is readonly JsonSchema[] {
  return (key === "anyOf" || key === "allOf" || key === "prefixItems") && Array.isArray(value);
}

/** Name of the definition to which a schema refers. */
export function refOf(schema: JsonSchema): string | undefined {
  const ref = schema["$ref"];
  return typeof ref === "string" ? ref.slice("#/$defs/".length) : undefined;
}

/**
 * Names of the definitions that a schema refers to directly, one for each reference. Only a schema's own `$ref`
 * counts, not a field of that name.
 */
export function refsIn(schema: JsonSchema): readonly string[] {
  const found: string[] = [];
  addRefs(schema, found);
  return found;
}

function addRefs(schema: JsonSchema, found: string[]): void {
  const name = refOf(schema);
  if (name !== undefined) {
    found.push(name);
    return;
  }
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (typeof value !== "object" || value === null) continue;
    if (key === "properties" || key === "patternProperties")
      for (const one of Object.values(value as JsonObject)) addRefs(one as JsonSchema, found);
    else if (isSchemaList(key, value)) for (const one of value) addRefs(one, found);
    else if ((key === "items" || key === "additionalProperties") && isSchema(value)) addRefs(value, found);
  }
}

/** Names of the definitions that contain themselves: following their references leads back to them. */
export function recursiveDefinitions(definitions: Readonly<Record<string, JsonSchema>>): ReadonlySet<string> {
  const refs = new Map(Object.entries(definitions).map(([name, schema]) => [name, [...new Set(refsIn(schema))]]));
  const refsOf = (name: string): readonly string[] => refs.get(name) ?? [];
  return circularNames(groupNames(refs.keys(), refsOf), refsOf);
}

/**
 * Computes the size in characters of the schema with all its definitions, after all definitions but the `kept` ones are
 * inlined. The text itself is not made, since it may be exponentially large.
 */
export function inlinedSize(
  root: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  kept: ReadonlySet<string>,
): number {
  const sizes = new Map<string, number>();
  const lengthOf = createJsonLength();
  const sizeOf = (schema: JsonSchema): number =>
    lengthOf(schema) + refsIn(schema).reduce((sum, name) => sum + (kept.has(name) ? 0 : definitionSize(name)), 0);
  const definitionSize = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const size = sizeOf(definitions[name] ?? {});
    sizes.set(name, size);
    return size;
  };
  return [...kept].reduce((sum, name) => sum + definitionSize(name), sizeOf(root));
}
