import type { JsonValue } from "../../../runtime/contract/contract.ts";
import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";

/** The schemas that the value of a key must match. `false`: the key is not allowed. */
export function rulesFor(schema: FullSchema, key: string): readonly FullSchema[] | false {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, key)) {
    const own = properties[key];
    return own === false || own === undefined ? false : [own];
  }
  const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, "u").test(key));
  if (matching.length > 0) return matching.map(([, part]) => part);
  if (additionalProperties === false) return false;
  return additionalProperties === undefined ? [] : [additionalProperties];
}

/** True when a schema mentions a key: by name, by a pattern, or by a rule for all other keys. */
export function declares(schema: FullSchema, key: string): boolean {
  const rules = rulesFor(schema, key);
  return rules !== false && rules.length > 0;
}

/** The schemas of an object's declared fields; keys that must be missing are left out. */
export function fieldsOf({ properties = {} }: FullSchema): readonly (readonly [key: string, schema: FullSchema])[] {
  return Object.entries(properties).flatMap(([key, part]) => (part === false ? [] : [[key, part] as const]));
}

/** The fields whose fixed values distinguish an object from others, with these values. */
export function fixedFields(schema: FullSchema): ReadonlyMap<string, JsonValue> {
  const fixed = fieldsOf(schema).flatMap(([key, part]) =>
    part.const === undefined || key === "$schema" ? [] : [[key, part.const] as const],
  );
  return new Map(fixed);
}

/** The schema URN that two objects have in common. */
export function sharedUrn(a: FullSchema, b: FullSchema): string | undefined {
  const urn = urnOf(a);
  return urn === urnOf(b) ? urn : undefined;
}

/** Schema URN of an object. */
function urnOf({ properties = {} }: FullSchema): string | undefined {
  const marker = Object.hasOwn(properties, "$schema") ? properties["$schema"] : undefined;
  return typeof marker === "object" && typeof marker.const === "string" ? marker.const : undefined;
}
