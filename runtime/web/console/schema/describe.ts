import { choicesOf, definitionName, entryOf, resolve, typesOf, valuesOf, type Schema } from "./schema.ts";
import { toJson } from "../base/json.ts";

/**
 * Describes the type of a value in a few words: `integer`, `list of text`, `date-time`, `"a" | "b"`. The title of an
 * item or of a member of a union takes precedence over its name; the title of the whole value is that of its field.
 */
export function describeType(schema: Schema, root: Schema, depth = 0): string {
  const { $ref } = schema;
  const name = $ref === undefined ? undefined : (resolve({ $ref }, root).title ?? definitionName($ref));
  const at = resolve(schema, root);
  const values = valuesOf(at)?.map((value) => toJson(value));
  if (values !== undefined) return `${values.slice(0, 6).join(" | ")}${values.length > 6 ? " | …" : ""}`;
  if (depth > 0 && at.title !== undefined) return at.title;
  const choices = choicesOf(at);
  if (choices !== undefined) {
    if (depth > 1) return name ?? "one of several";
    return [...new Set(choices.map((choice) => describeType(choice, root, depth + 1)))].join(" or ");
  }
  const [type] = typesOf(at);
  switch (type) {
    case "array": {
      const { items, prefixItems } = at;
      if (prefixItems !== undefined) return `list of ${prefixItems.length}`;
      return items && depth < 2 ? `list of ${describeType(items, root, depth + 1)}` : "list";
    }
    case "object":
      if (name !== undefined || at.title !== undefined) return name ?? at.title ?? "";
      if (at.properties !== undefined) return "object";
      return entryOf(at) && depth < 2 ? `map of ${describeType(entryOf(at) ?? {}, root, depth + 1)}` : "map";
    case "string":
      return at.contentEncoding === undefined ? (at.format ?? "text") : "bytes";
    case "integer":
    case "number":
      return at.format ?? type;
    default:
      return type ?? "anything";
  }
}

/** Words for a limit, with `#` for its number. */
const limits: Readonly<Record<string, string>> = {
  minimum: "≥ #",
  exclusiveMinimum: "> #",
  maximum: "≤ #",
  exclusiveMaximum: "< #",
  multipleOf: "multiple of #",
  minLength: "≥ # characters",
  maxLength: "≤ # characters",
  minItems: "≥ # items",
  maxItems: "≤ # items",
};

/** Describes a limit of a schema in a few words. */
export function describeLimit(key: string, limit: unknown): string {
  return limits[key]?.replace("#", String(limit)) ?? key;
}

/** Bounds that types of numbers have, whatever their author wrote, without their sign. */
const typeBounds = new Set([Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1, 3.4028234663852886e38]);

/** The constraints of a value, each in a few words, without those that its type says already. */
export function describeLimits(schema: Schema): readonly string[] {
  const { uniqueItems, $comment, pattern, format, contentEncoding, deprecated, prefixItems } = schema;
  const known = Object.keys(limits).flatMap((key) => {
    const limit = schema[key as keyof Schema];
    const isSaid = key.endsWith("Items")
      ? limit === prefixItems?.length
      : typeBounds.has(Math.abs(Number(limit))) || (key === "maxLength" && $comment?.startsWith("integer"));
    return limit === undefined || isSaid ? [] : [describeLimit(key, limit)];
  });
  return [
    ...known,
    uniqueItems === true && "no item twice",
    // The author's type, a format, or the word "bytes" is clearer than the generated pattern for it.
    $comment ?? (pattern !== undefined && (format ?? contentEncoding) === undefined && `/${pattern.slice(0, 80)}/`),
    deprecated === true && "deprecated",
    schema.default !== undefined && `default ${toJson(schema.default).slice(0, 60)}`,
  ].filter((part) => part !== false);
}
