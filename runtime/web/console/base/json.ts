/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;

export interface JsonRecord {
  readonly [key: string]: Json;
}

/** True for an object that is not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a record, or an empty one for any other value. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Returns a text, or undefined for any other value. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The text under a key of a record; undefined for anything else. */
export function textIn(value: unknown, key: string): string | undefined {
  return asText(asRecord(value)[key]);
}

/** The record under a key of a record; an empty one for anything else. */
export function recordIn(value: unknown, key: string): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(value)[key]);
}

/** Parses JSON; undefined for a text that is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Formats a value as JSON; with line breaks if people will read it. */
export function toJson(value: unknown, isPretty = false): string {
  return JSON.stringify(value, null, isPretty ? 2 : 0) ?? "";
}

/** Formats JSON for people; a text that is not JSON stays as it is. */
export function readableJson(text: string): string {
  return toJson(parseJson(text), true) || text;
}

/** The records in the list under a key of a record; empty if there is no such list. */
export function recordsIn(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = asRecord(value)[key];
  return Array.isArray(list) ? list.map(asRecord) : [];
}
