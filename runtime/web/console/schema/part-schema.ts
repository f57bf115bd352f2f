import type { Json } from "../base/json.ts";
import { fitOf } from "./matches.ts";
import { resolve, type Schema } from "./schema.ts";

/**
 * The schema of a part of a value: of the field of an object, or of an item of a list. Empty for an unknown part.
 *
 * @param key Name of the field, or number of the item
 * @param root Schema into which references lead
 * @param value The value, by which the member of a union is found; default: the first one that has the part
 */
export function partSchema(schema: Schema, key: string, root: Schema, value?: Json): Schema {
  const members = membersOf(schema, root, new Set());
  const best =
    value === undefined
      ? members
      : members.toSorted((one, other) => fitOf(value, other, root) - fitOf(value, one, root));
  const parts = best.map(
    ({ properties, prefixItems, items, additionalProperties }) =>
      properties?.[key] ?? prefixItems?.[Number(key)] ?? items ?? additionalProperties,
  );
  return resolve(parts.find((part) => typeof part === "object") ?? {}, root);
}

/** A schema, and the members of unions and intersections in it. */
function membersOf(schema: Schema, root: Schema, known: Set<Schema>): readonly Schema[] {
  if (known.has(schema)) return [];
  known.add(schema);
  const at = resolve(schema, root);
  return [at, ...(at.anyOf ?? at.oneOf ?? at.allOf ?? []).flatMap((one) => membersOf(one, root, known))];
}
