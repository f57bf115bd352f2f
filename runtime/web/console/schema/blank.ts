import type { Json } from "../base/json.ts";
import { choicesOf, fieldsOf, isRequired, resolve, typesOf, type Schema } from "./schema.ts";

/** Depth of a type that contains itself, below which its fields are left out. */
const deepest = 6;

/**
 * The value with which a form begins whose value must come from its user: the required fields, each null, which does
 * not fit. Only what the author has fixed, as a constant or a default, is there already.
 */
export function blankOf(schema: Schema, root: Schema, depth = 0): Json {
  const at = resolve(schema, root);
  const given = at.const ?? at.default;
  if (given !== undefined) return given;
  const choices = choicesOf(at);
  if (choices?.some((choice) => typesOf(resolve(choice, root))[0] === "object") === true)
    return blankOf(choices[0] ?? {}, root, depth + 1);
  if (at.enum !== undefined || choices !== undefined) return null;
  const [type] = typesOf(at);
  if (type === "array") return (at.prefixItems ?? []).map((item) => blankOf(item, root, depth + 1));
  if (type !== "object") return null;
  const fields = depth > deepest ? [] : fieldsOf(at).filter(([key]) => isRequired(at, key));
  return Object.fromEntries(fields.map(([key, field]) => [key, blankOf(field, root, depth + 1)]));
}
