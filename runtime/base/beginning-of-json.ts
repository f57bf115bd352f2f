import { cutText } from "./brief.ts";

/**
 * Returns the beginning of a value's JSON, cut after `most` characters. Only as much of the value is visited as is
 * needed, since it may be a request of many megabytes.
 *
 * @param value Parsed JSON
 */
export function beginningOfJson(value: unknown, most: number): string {
  let text = "";
  for (const part of partsOf(value, most)) {
    text += part;
    if (text.length > most) break;
  }
  return cutText(text, most);
}

function* partsOf(value: unknown, most: number): Generator<string, void, undefined> {
  if (typeof value === "string") return yield JSON.stringify(value.slice(0, most + 1));
  if (typeof value !== "object" || value === null) return yield JSON.stringify(value) ?? "null";
  let between = "";
  if (Array.isArray(value)) {
    yield "[";
    for (const item of value as readonly unknown[]) {
      yield between;
      yield* partsOf(item, most);
      between = ",";
    }
    return yield "]";
  }
  yield "{";
  for (const [key, member] of Object.entries(value)) {
    yield `${between}${JSON.stringify(key.slice(0, most + 1))}:`;
    yield* partsOf(member, most);
    between = ",";
  }
  yield "}";
}
