const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;
const bigIntPattern = /^(?:0|-?[1-9][0-9]*)$/;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** True for any text; the format `password` is only a hint for displaying it. */
export function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** True for base64 with padding and without line breaks, whose length is a multiple of four. */
export function isBase64(value: unknown): boolean {
  return typeof value === "string" && value.length % 4 === 0 && base64Pattern.test(value);
}

/**
 * Maximum characters of a `bigint`: enough for 4096 bits. Conversion takes more than linear time: a million digits
 * would block the whole service for half a second.
 */
export const longestBigInt: number = 1300;

/** True for an integer as text; no plus, no leading zeros, and zero without a sign. */
export function isBigIntText(value: unknown): boolean {
  return typeof value === "string" && value.length <= longestBigInt && bigIntPattern.test(value);
}

/** True for RFC 4122 text, any case, any version. */
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && value.length === 36 && uuidPattern.test(value);
}

/**
 * True for an ECMAScript regular expression with flag `u`, of at most 1000 characters: compiling takes up to 40 µs for
 * each character.
 */
export function isRegex(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 1000) return false;
  try {
    return new RegExp(value, "u").unicode;
  } catch {
    return false;
  }
}

/** True for a JSON Pointer (RFC 6901): empty, or begins with a slash, and each tilde is followed by 0 or 1. */
export function isJsonPointer(value: unknown): boolean {
  return typeof value === "string" && (value === "" || value.startsWith("/")) && !/~(?![01])/.test(value);
}

/** True for a relative JSON Pointer: a number of steps up, then `#` or a JSON Pointer. */
export function isRelativeJsonPointer(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const steps = /^(?:0|[1-9]\d*)/.exec(value)?.[0];
  if (steps === undefined) return false;
  const rest = value.slice(steps.length);
  return rest === "#" || isJsonPointer(rest);
}
