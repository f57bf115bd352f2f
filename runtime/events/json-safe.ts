import type { JsonObject, JsonValue } from "../contract.ts";

const maxDepth = 64;

/**
 * A copy of the fields of an object as JSON can hold them: what it cannot hold (cycles, functions, `NaN`, a `bigint`, a
 * `toJSON` that throws …) becomes its string form, and `undefined` fields are left out. Never throws; used where a value
 * must not break a job.
 */
export function jsonSafeFields(fields: object): JsonObject {
  const copy = convert(fields, []);
  return typeof copy === "object" && copy !== null && !Array.isArray(copy) ? (copy as JsonObject) : { value: copy };
}

/** The string form of anything, also of what throws when it is asked for one. */
export function printable(value: unknown): string {
  try {
    return typeof value === "symbol" ? value.toString() : String(value);
  } catch {
    return "[not printable]";
  }
}

function convert(value: unknown, parents: readonly object[]): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "undefined":
      return null;
    case "object":
      if (value === null) return null;
      try {
        return convertObject(value, parents);
      } catch {
        return printable(value);
      }
    default:
      return printable(value);
  }
}

function convertObject(value: object, parents: readonly object[]): JsonValue {
  if (parents.includes(value) || parents.length >= maxDepth) return printable(value);
  const path = [...parents, value];
  if (value instanceof Error) return printable(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString("base64");
  if (value instanceof Map) return convert(Object.fromEntries(value), path);
  if (value instanceof Set) return [...value].map((item) => convert(item, path));
  if (Array.isArray(value)) return value.map((item) => convert(item, path));
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const json: unknown = value.toJSON();
    // An invalid date gives null, which would hide that there was one.
    return value instanceof Date && json === null ? printable(value) : convert(json, path);
  }
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) entries.push([key, convert(item, path)]);
  }
  return Object.fromEntries(entries);
}
