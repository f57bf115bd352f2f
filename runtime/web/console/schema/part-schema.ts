import { resolve, type Schema } from "./schema.ts";

/**
 * The schema of a part of a value: of the field of an object, or of an item of a list. Empty for an unknown part.
 *
 * @param key Name of the field, or number of the item
 * @param root Schema into which references lead
 */
export function partSchema(schema: Schema, key: string, root: Schema): Schema {
  const at = resolve(schema, root);
  const parts = [at, ...(at.anyOf ?? at.oneOf ?? at.allOf ?? [])]
    .map((one) => resolve(one, root))
    .map(
      ({ properties, prefixItems, items, additionalProperties }) =>
        properties?.[key] ?? prefixItems?.[Number(key)] ?? items ?? additionalProperties,
    );
  const found = parts.find((part) => typeof part === "object");
  return resolve(found ?? {}, root);
}
