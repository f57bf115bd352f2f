import type { JsonSchema } from "../contract.ts";
import { setKey } from "./codecs.ts";
import { isObject } from "./json-value.ts";
import { asFullSchema, isOfType, resolveSchema, schemasOfKey, schemaTypes } from "./schema.ts";
import type { FullSchema } from "./schema.ts";

/**
 * Reads `"12"` as a number, `"true"` as a boolean and one value as an array of one where a schema asks for that and the
 * value is not what it asks for. For tools with `ToolOptions.coerce`, before validation. What cannot be read stays as
 * it is, for the validator to refuse. The value given is not changed.
 */
export function coerceValue(schema: JsonSchema, value: unknown): unknown {
  const root = asFullSchema(schema);
  return coerce(root, value, root);
}

function coerce(schema: FullSchema, value: unknown, root: FullSchema): unknown {
  const target = resolveSchema(schema, root);
  const types = schemaTypes(target, root);
  if (types === undefined) return value;
  if (isOfType(value, types)) return coerceParts(target, value, root);
  const scalar = typeof value === "string" ? coerceText(value, types) : undefined;
  if (scalar !== undefined) return scalar;
  if (!types.includes("array") || value === null || value === undefined || Array.isArray(value)) return value;
  return coerceParts(memberOfType(target, "array", root), [value], root);
}

/** Numbers as JSON writes them, blanks around them aside; not `""`, `0x10` or `Infinity`. */
function coerceText(text: string, types: readonly string[]): number | boolean | undefined {
  const plain = text.trim();
  if (types.includes("number") || types.includes("integer")) {
    const number = /^-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/.test(plain) ? Number(plain) : NaN;
    if (Number.isFinite(number) && (types.includes("number") || Number.isInteger(number))) return number;
  }
  if (types.includes("boolean") && (plain === "true" || plain === "false")) return plain === "true";
  return undefined;
}

function coerceParts(schema: FullSchema, value: unknown, root: FullSchema): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (schema.anyOf !== undefined) return coerceParts(memberFor(schema, value, root), value, root);
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const part = schema.prefixItems?.[index] ?? schema.items;
      return part === undefined || part === false ? (item as unknown) : coerce(part, item, root);
    });
  }
  const copy = {};
  for (const [key, item] of Object.entries(value)) {
    const coerced = schemasOfKey(schema, key).reduce<unknown>((value, part) => coerce(part, value, root), item);
    setKey(copy, key, coerced);
  }
  return copy;
}

function memberOfType(schema: FullSchema, type: string, root: FullSchema): FullSchema {
  if (schema.anyOf === undefined) return schema;
  return resolveSchema(schema.anyOf.find((member) => schemaTypes(member, root)?.includes(type)) ?? {}, root);
}

/** The member that a structure is coerced by: the only one of its kind, or the one whose fixed fields it has. */
function memberFor(schema: FullSchema, value: object, root: FullSchema): FullSchema {
  const type = Array.isArray(value) ? "array" : "object";
  const members = (schema.anyOf ?? [])
    .map((member) => resolveSchema(member, root))
    .filter((member) => schemaTypes(member, root)?.includes(type));
  if (members.length <= 1) return members[0] ?? {};
  const named = members.filter((member) => isObject(value) && fixedFieldsMatch(member, value));
  // Without a field that decides, a guess could change what the value means.
  return named.length === 1 ? (named[0] ?? {}) : {};
}

function fixedFieldsMatch(member: FullSchema, value: Record<string, unknown>): boolean {
  let fixed = 0;
  for (const [key, property] of Object.entries(member.properties ?? {})) {
    if (!("const" in property) || member.required?.includes(key) !== true) continue;
    if (!Object.hasOwn(value, key) || value[key] !== property.const) return false;
    fixed++;
  }
  return fixed > 0;
}
