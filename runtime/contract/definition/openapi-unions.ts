import type { JsonObject, JsonSchema, JsonValue } from "../contract.ts";

/** Position of a union that may get a discriminator. */
export interface UnionPlace {
  /** Prefix for the names of unnamed members. */
  readonly owner: string;
  readonly defs: Readonly<Record<string, JsonSchema>>;
  readonly add: (name: string, part: JsonSchema) => JsonSchema;
}

/**
 * Converts a choice of objects that a field distinguishes into `oneOf` with a discriminator. OpenAPI requires the
 * members to be components, so unnamed members get a name. Any other schema stays as it is.
 *
 * @param original The schema with references into `$defs`.
 * @param relocated The same schema with references into `components`.
 */
export function taggedUnion(original: JsonObject, relocated: JsonObject, place: UnionPlace): JsonObject {
  const { anyOf, ...others } = relocated;
  if (!Array.isArray(anyOf) || !Array.isArray(original["anyOf"])) return relocated;
  const members = original["anyOf"] as readonly JsonSchema[];
  const objects = members.flatMap((member, index) => {
    const target = resolve(member, place.defs);
    return target["type"] === "object" ? [{ target, part: (anyOf as readonly JsonSchema[])[index] ?? {} }] : [];
  });
  const rest = (anyOf as readonly JsonSchema[]).filter((part) => !objects.some((member) => member.part === part));
  const key = objects.length < 2 ? undefined : tagOf(objects.map(({ target }) => target));
  if (key === undefined) return relocated;
  const mapping: Record<string, string> = {};
  const refs = objects.map(({ target, part }) => {
    const tag = tagValue(target, key) ?? "";
    const ref =
      "$ref" in part && Object.keys(part).length === 1 ? part : place.add(place.owner + pascalCase(tag), part);
    mapping[tag] = String(ref["$ref"]);
    return ref;
  });
  const union = { oneOf: refs, discriminator: { propertyName: key, mapping } };
  return rest.length === 0 ? { ...others, ...union } : { ...others, anyOf: [union, ...rest] };
}

/** A name for types: `is-prime` becomes `IsPrime`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** Finds the field whose text differs in every member. */
function tagOf(members: readonly JsonSchema[]): string | undefined {
  const keys = Object.keys((members[0]?.["properties"] ?? {}) as JsonObject);
  return keys.find((key) => {
    const values = members.map((member) => tagValue(member, key));
    return key !== "$schema" && !values.includes(undefined) && new Set(values).size === values.length;
  });
}

function tagValue({ properties = {}, required = [] }: JsonSchema, key: string): string | undefined {
  const field = Object.hasOwn(properties as JsonObject, key) ? (properties as JsonObject)[key] : undefined;
  const value = (field as { readonly const?: JsonValue } | undefined)?.const;
  return typeof value === "string" && (required as readonly string[]).includes(key) ? value : undefined;
}

function resolve(schema: JsonSchema, defs: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const ref = schema["$ref"];
  return typeof ref === "string" ? (defs[ref.slice("#/$defs/".length)] ?? {}) : schema;
}
