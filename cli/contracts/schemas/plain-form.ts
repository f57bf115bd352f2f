import { isObject } from "../../../runtime/contract/validation/json-value.ts";

const maps: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);
const lists: ReadonlySet<string> = new Set(["anyOf", "allOf", "oneOf", "prefixItems"]);
const singles: ReadonlySet<string> = new Set(["items", "additionalProperties"]);
/** Keywords for which the validator knows `false`: there it refuses an element or a key, and not a value. */
const closing: ReadonlySet<string> = new Set(["properties", "items", "additionalProperties"]);

/** Accepts nothing. */
const nothing = { enum: [] };

/**
 * A schema from elsewhere in the form that the validator supports: `true` becomes a schema without keywords, and
 * `false`, `{ not: {} }` and `{ not: true }` become an empty union.
 */
export function plainForm(schema: unknown): unknown {
  if (typeof schema === "boolean") return schema ? {} : nothing;
  if (!isObject(schema)) return schema;
  const { not } = schema;
  if (not === true || (isObject(not) && Object.keys(not).length === 0)) return nothing;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      key === "not" && value === false ? [] : [[key, keywordOf(key, value)] as const],
    ),
  );
}

/** The value of a keyword, with all schemas in it. Values that are data, such as those of `enum`, stay as they are. */
function keywordOf(key: string, value: unknown): unknown {
  const inner = (part: unknown): unknown => (part === false && closing.has(key) ? part : plainForm(part));
  if (singles.has(key)) return inner(value);
  if (lists.has(key) && Array.isArray(value)) return value.map(inner);
  if (maps.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]));
  return value;
}
