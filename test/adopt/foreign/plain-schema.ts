/**
 * A JSON Schema without what does not count in a comparison: texts, URNs, whether unknown keys are refused (tenon
 * ignores them), and the pattern by which zod checks a format. Integers get the bounds that zod 4 writes and zod 3
 * leaves out: JSON has no exact numbers beyond them.
 */
export function plainSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSchema);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([key, inner]) => {
    if (key === "$schema" && typeof inner === "string") return [];
    if (key === "additionalProperties" && (inner === false || isEmpty(inner))) return [];
    if (key === "pattern" && isKnownFormat(value)) return [];
    // zod writes `starts_with` and the like beside the pattern.
    if (key === "format" && !isKnownFormat(value)) return [];
    // Tuples of older drafts.
    if (key === "items" && Array.isArray(inner)) return [["prefixItems", plainSchema(inner)] as const];
    // The members of a discriminated union exclude each other.
    if (key === "oneOf") return [["anyOf", plainSchema(inner)] as const];
    if (key === "pattern") return [[key, String(inner).replace(/\.\*$/, "")] as const];
    if (key === "properties") return [[key, propertiesOf(inner as object)] as const];
    return [[key, key === "default" || key === "const" || key === "enum" ? inner : plainSchema(inner)] as const];
  });
  const isInteger = (value as { readonly type?: unknown }).type === "integer";
  return {
    ...(isInteger && { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ...Object.fromEntries(entries),
  };
}

function isKnownFormat({ format }: { readonly format?: unknown }): boolean {
  return typeof format === "string" && !["starts_with", "ends_with", "includes", "regex"].includes(format);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Fields; `$schema` is the URN that tenon adds to every object. */
function propertiesOf(fields: object): unknown {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]) => (key === "$schema" ? [] : [[key, plainSchema(field)] as const])),
  );
}
