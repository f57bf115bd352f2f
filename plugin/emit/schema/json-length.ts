import type { JsonValue } from "../../../runtime/contract/contract.ts";

/** Returns the number of characters of a value's JSON. */
export type JsonLength = (value: JsonValue) => number;

/**
 * Creates a function that adds up the characters of values' JSON without printing it, each object once: a part of a
 * large schema is the same object in all of its places, and printed everywhere it is many times as long.
 */
export function createJsonLength(): JsonLength {
  const known = new Map<object, number>();
  const keys = new Map<string, number>();
  const lengthOf = (value: JsonValue): number => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
    const before = known.get(value);
    if (before !== undefined) return before;
    const length = Array.isArray(value)
      ? listLength(value)
      : objectLength(value as { readonly [key: string]: JsonValue });
    known.set(value, length);
    return length;
  };
  const listLength = (items: readonly JsonValue[]): number =>
    items.reduce<number>((sum, item) => sum + lengthOf(item) + 1, items.length === 0 ? 2 : 1);
  const objectLength = (object: { readonly [key: string]: JsonValue | undefined }): number => {
    let [length, count] = [1, 0];
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      let own = keys.get(key);
      if (own === undefined) keys.set(key, (own = JSON.stringify(key).length + 1));
      // A comma or the last bracket follows each entry.
      length += own + lengthOf(value) + 1;
      count++;
    }
    return count === 0 ? 2 : length;
  };
  return lengthOf;
}
