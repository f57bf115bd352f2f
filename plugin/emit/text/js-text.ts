import type { JsonLiteral } from "../../model/type.ts";

/** Prefix of generated names. No literal contains it, so that plain search and replace renames them. */
export const namePrefix = "__tenon";

const mayNeedEscape = new RegExp(`[\\u2028\\u2029</]|${namePrefix}`);

/**
 * Prints a string as one line of JavaScript. Beyond JSON's escapes, it escapes line separators, text that could end a
 * `<script>` or open a comment there, text that a bundler could take for a source map's address, and the prefix of
 * generated names.
 */
export function stringText(value: string): string {
  return safeJson(JSON.stringify(value));
}

/** Escapes the JSON of a string in the same way. The JSON of any other scalar stays unchanged. */
export function safeJson(json: string): string {
  // Most texts need no escape, so they are first searched once for anything that could need one.
  if (!mayNeedEscape.test(json)) return json;
  return json
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
    .replaceAll(/<(?=[/!])/g, "\\u003c")
    .replaceAll("*/", "*\\u002f")
    .replaceAll(/\/\/(?=[#@])/g, "/\\u002f")
    .replaceAll(namePrefix, "__t\\u0065non");
}

const plainName = /^[A-Za-z_$][\w$]*$/;

/** Prints a key of an object literal. A plain `__proto__` there would set the prototype. */
export function keyText(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return plainName.test(key) && !key.includes(namePrefix) ? key : stringText(key);
}

/** Prints the access to a key: `v.name` or `v["a-b"]`. */
export function memberText(object: string, key: string): string {
  return plainName.test(key) && !key.includes(namePrefix) ? `${object}.${key}` : `${object}[${stringText(key)}]`;
}

/** Prints a JSON value as a literal that creates a new value each time. */
export function jsonText(value: JsonLiteral): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(jsonText).join()}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${keyText(key)}:${jsonText(item)}`)
    .join()}}`;
}

function isList(value: object): value is readonly JsonLiteral[] {
  return Array.isArray(value);
}

/**
 * Prints a regular expression literal with flag `u`. For an invalid pattern, which the plugin reports elsewhere, it
 * prints a pattern that matches nothing.
 */
export function regexText(pattern: string): string {
  let source = "[]";
  try {
    source = new RegExp(pattern, "u").source;
  } catch {
    // The pattern is invalid, so its tool is not inserted; the code only has to be valid.
  }
  return `/${source.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029").replaceAll(namePrefix, "__t\\u0065non")}/u`;
}
