import type { JsonObject, JsonValue } from "../contract/contract.ts";

const maxDepth = 64;
/**
 * Number of copied objects after which an object is copied once only: a graph of objects, such as related rows of a
 * database, has far more paths than objects.
 */
const mostCopies = 10_000;

/**
 * Copies the fields of an object as JSON. Values that JSON cannot hold (cycles, functions, `NaN`, a `bigint`, a
 * `toJSON` that throws …) become their string form; `undefined` fields are left out. Never throws, so that a value
 * cannot break a job.
 */
export function jsonSafeFields(fields: object): JsonObject {
  const copy = convert(fields, walkWith(printable, base64));
  return typeof copy === "object" && copy !== null && !Array.isArray(copy) ? (copy as JsonObject) : { value: copy };
}

/** Conversions of values that JSON cannot represent. */
interface Conversions {
  readonly ofError: (error: Error) => unknown;
  /** Converts bytes; if absent, bytes are converted like any object. */
  readonly ofBytes: (bytes: ArrayBufferView | ArrayBuffer) => JsonValue | undefined;
}

/** One conversion of a value with all its parts. */
interface Walk extends Conversions {
  /** The objects that contain the present value. All levels share one array, so that none has to copy it. */
  readonly parents: object[];
  /** Number of objects that may still be copied more than once. */
  left: number;
  /** The objects that were copied after these. */
  readonly seen: Set<object>;
}

function walkWith(ofError: Conversions["ofError"], ofBytes: Conversions["ofBytes"]): Walk {
  return { ofError, ofBytes, parents: [], left: mostCopies, seen: new Set() };
}

/**
 * Copies any value as JSON for the log, like {@link jsonSafeFields}. `ofError` converts errors, of which plain JSON
 * would keep nothing; bytes are replaced by their number.
 */
export function jsonSafe(value: unknown, ofError: (error: Error) => unknown = printable): JsonValue {
  return convert(value, walkWith(ofError, printable));
}

/** Sets a field of a copy, even if its name is `__proto__`. */
export function setField(copy: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== "__proto__") copy[name] = value;
  else Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns the string form of any value, even if its `toString` throws; for bytes, only their number. */
export function printable(value: unknown): string {
  try {
    if (isBytes(value)) return `[${value.byteLength} bytes]`;
    return typeof value === "symbol" ? value.toString() : String(value);
  } catch {
    return "[not printable]";
  }
}

/** True for binary data: a `Buffer`, another typed array, an `ArrayBuffer`. */
export function isBytes(value: unknown): value is ArrayBufferView | ArrayBuffer {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function base64(bytes: ArrayBufferView | ArrayBuffer): string | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

/** Converts a value to JSON. */
function convert(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "undefined":
      return null;
    case "object": {
      if (value === null) return null;
      const { parents, seen } = walk;
      const depth = parents.length;
      if (depth >= maxDepth || parents.includes(value)) return printable(value);
      walk.left -= 1;
      if (walk.left < 0 && seen.size === seen.add(value).size) return printable(value);
      parents.push(value);
      try {
        return convertObject(value, walk);
      } catch {
        return printable(value);
      } finally {
        parents.length = depth;
      }
    }
    default:
      return printable(value);
  }
}

function convertObject(value: object, walk: Walk): JsonValue {
  // Most values are plain objects, for which these checks are skipped.
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    if (value instanceof Error) return convert(walk.ofError(value), walk);
    const bytes = isBytes(value) ? walk.ofBytes(value) : undefined;
    if (bytes !== undefined) return bytes;
    if (value instanceof Map) return convert(Object.fromEntries(value), walk);
    if (value instanceof Set) return [...value].map((item) => convert(item, walk));
    if (Array.isArray(value)) return value.map((item) => convert(item, walk));
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const json: unknown = value.toJSON();
    // An invalid date is printed: JSON would write it as null, which would hide the mistake.
    return value instanceof Date && json === null ? printable(value) : convert(json, walk);
  }
  const copy: Record<string, JsonValue> = {};
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(fields)) {
    const item = fields[name];
    if (item !== undefined) setField(copy, name, convert(item, walk));
  }
  return copy;
}
