import { resolve, type Schema } from "../console/schema/schema.ts";

/** The schema of an object's field; empty for an unknown one. */
export function propertySchema(schema: Schema, key: string, root: Schema): Schema {
  const alternatives = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].map((one) => resolve(one, root));
  const field = alternatives.flatMap((one) => one.properties?.[key] || []).at(0) ?? schema.additionalProperties;
  return typeof field === "object" ? resolve(field, root) : {};
}

/** The schema of a list's items. */
export function itemSchema(schema: Schema): Schema {
  return schema.items || {};
}

/** A field's title, or its name as words: `firstSeen` becomes `First seen`. */
export function labelOf(key: string, { title }: Schema): string {
  if (title !== undefined) return title;
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim();
  const isSentence = /^[\w ]+$/.test(words) && !/^[A-Z]{2}/.test(words);
  return isSentence ? words.charAt(0).toUpperCase() + words.slice(1).toLowerCase() : key;
}
