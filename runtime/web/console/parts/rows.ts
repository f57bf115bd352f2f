import { isRecord, type Json } from "../base/json.ts";

/** Rows of a table: a list of objects. */
export type Rows = readonly Readonly<Record<string, Json>>[];

/** Returns the rows of a list of objects; undefined for any other value. */
export function rowsOf(value: Json): Rows | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord) ? (value as Rows) : undefined;
}
