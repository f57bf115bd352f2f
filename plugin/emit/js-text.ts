import type { JsonLiteral } from "../model/type.ts";

/** What generated names begin with; no text inside a literal contains it, so that the names can be exchanged. */
export const namePrefix = "__tenon";

const mayNeedEscape = new RegExp(`[\\u2028\\u2029</]|${namePrefix}`);

/**
 * A string as one line of JavaScript. Besides what JSON escapes: line separators, what could end a `<script>` or open a
 * comment there, what a bundler could take for a source map's address, and the prefix of generated names.
 */
export function stringText(value: string): string {
  return safeJson(JSON.stringify(value));
}

/** The same for the JSON of a string; that of any other scalar stays as it is. */
export function safeJson(json: string): string {
  // Nearly all texts: one search instead of six.
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

/** A key of an object literal. A plain `__proto__` there would set the prototype. */
export function keyText(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return plainName.test(key) && !key.includes(namePrefix) ? key : stringText(key);
}

/** Reads a key: `v.name` or `v["a-b"]`. */
export function memberText(object: string, key: string): string {
  return plainName.test(key) && !key.includes(namePrefix) ? `${object}.${key}` : `${object}[${stringText(key)}]`;
}

/** A JSON value as a literal that makes a fresh value each time. */
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

/** A regular expression literal with flag `u`; for a pattern that is none (reading reports it) one that matches nothing. */
export function regexText(pattern: string): string {
  let source = "[]";
  try {
    source = new RegExp(pattern, "u").source;
  } catch {
    // A tool with an error is not inserted; its code only has to be code.
  }
  return `/${source.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029").replaceAll(namePrefix, "__t\\u0065non")}/u`;
}
