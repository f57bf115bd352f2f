import { refuseObject } from "../../contract/validation/codecs/codecs.ts";

/**
 * Maximum nesting of a result. Callers' parsers overflow only far above this depth; tenon's own parser refuses deeper
 * values as well.
 */
export const maxDepth = 512;

/**
 * True when JSON can hold a value of this depth. `JSON.stringify` silently drops or rewrites most other values;
 * `findNotJson` explains why JSON cannot hold a value.
 */
export function isJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      break;
    default:
      return false;
  }
  if (depth >= maxDepth) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isJson(value[index], depth + 1)) return false;
    }
    return true;
  }
  const fields = value as Record<string, unknown>;
  if (typeof fields["toJSON"] === "function") return isJsonOfItself(value, fields["toJSON"]());
  if (refuseObject(value) !== undefined) return false;
  for (const key in fields) {
    const item = fields[key];
    if (item !== undefined && Object.hasOwn(fields, key) && !isJson(item, depth + 1)) return false;
  }
  return true;
}

function isJsonOfItself(value: object, json: unknown): boolean {
  // An invalid date is refused, since `JSON.stringify` writes it as null without an error.
  return !(value instanceof Date && json === null) && isJson(json, maxDepth - 16);
}
