import type { Json } from "../base/json.ts";

/** Values without parts. */
export type Plain = null | boolean | number | string;

/** Minimum number of values of a list that is shown by rows, of which only visible ones are rendered. */
const leastValues = 100;

/** Returns the values of a long list without lists and objects in it; undefined for any other value. */
export function plainsOf(value: Json): readonly Plain[] | undefined {
  return Array.isArray(value) &&
    value.length > leastValues &&
    value.every((item) => typeof item !== "object" || item === null)
    ? (value as Plain[])
    : undefined;
}
