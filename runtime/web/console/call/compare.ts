import { toJson, type Json } from "../base/json.ts";

/** A difference between two answers; undefined: the value is absent. */
type Difference = readonly [pointer: string, before: Json | undefined, after: Json | undefined];

/** Maximum number of differences that are shown. */
const most = 200;

/** The differences between two values, by JSON Pointer. */
export function differencesOf(
  before: Json | undefined,
  after: Json | undefined,
  at = "",
  found: Difference[] = [],
): readonly Difference[] {
  if (found.length >= most || toJson(before) === toJson(after)) return found;
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) {
    found.push([at, before, after]);
    return found;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    differencesOf(before[key], after[key], `${at}/${key}`, found);
  return found;
}

function isBranch(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null;
}
