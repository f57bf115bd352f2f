import { matchingText } from "./matching-text.ts";
import type { Json } from "../base/json.ts";
import type { Schema } from "./schema.ts";

/** Candidate texts for a format; the first one that the other constraints allow is used. */
function textsOf(format: string): readonly (string | undefined)[] {
  const time = new Date();
  const now = `${time.toISOString().slice(0, 16)}:00Z`;
  if (format.endsWith("email")) return ["someone@example.org", "a@b.co"];
  if (/^ur[il]$|^iri$/.test(format)) return ["https://example.org/"];
  const one = {
    "date-time": now,
    // The day where the page is, as the input of a time shows it.
    date: new Date(+time - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10),
    time: now.slice(11),
    duration: "PT1H",
    hostname: "localhost",
    ipv4: "127.0.0.1",
    ipv6: "::1",
    uuid: crypto.randomUUID?.(),
  }[format];
  return [one];
}

/** Returns a text that a schema allows, if one is found. */
export function sampleText(schema: Schema): string {
  const { format = "", minLength = 0, pattern, allOf = [] } = schema;
  const patterns = [pattern, ...allOf.map((part) => part.pattern)].filter((part) => part !== undefined);
  const texts = [
    ...textsOf(format),
    ...[0, 1, minLength].flatMap((extra) => patterns.map((part) => tried(() => matchingText(part, extra)))),
    "x".repeat(Math.min(minLength, 1000)),
  ];
  return texts.find((text) => text !== undefined && isAllowed(text, schema)) ?? "";
}

/**
 * False for a text beyond the length or the patterns of a schema: where a type is used, constraints may exclude the
 * type's own example.
 */
export function isAllowed(text: Json, { minLength = 0, maxLength = Infinity, pattern, allOf = [] }: Schema): boolean {
  if (typeof text !== "string") return true;
  const { length } = [...text];
  const fits = pattern === undefined || tried(() => new RegExp(pattern, "u").test(text)) !== false;
  return fits && length >= minLength && length <= maxLength && allOf.every((part) => isAllowed(text, part));
}

/** Returns the result of `make`; undefined if this browser does not support the pattern. */
function tried<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
