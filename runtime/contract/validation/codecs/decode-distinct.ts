import { canonicalJson, newValues } from "../json-value.ts";

/** Thrown for a list of distinct items in which two different texts mean the same value. The caller sent it. */
export class EqualItemsError extends Error {
  override readonly name: string = "EqualItemsError";
  /** The list as the caller sent it. */
  readonly list: readonly unknown[];
  /** Index of the second of the two items. */
  readonly index: number;
  /** Index of the first one. */
  readonly first: number;

  constructor(list: readonly unknown[], index: number, first: number) {
    super(`Items ${first} and ${index} are equal.`);
    this.list = list;
    this.index = index;
    this.first = first;
  }
}

/**
 * Decodes a list whose items must be distinct after decoding too: a moment can be written in many ways, and unknown
 * keys are dropped. The validator compares only the encoded items; without this check, a result with the decoded items
 * would be refused. `encode` is absent where decoded items are JSON.
 */
export function decodeDistinct(
  list: readonly unknown[],
  decode: (item: never) => unknown,
  encode?: (item: never) => unknown,
): unknown[] {
  const items = list.map((item) => decode(item as never));
  // Items that lost no key in decoding are still distinct, as the validator has checked.
  if (encode === undefined && items.every((item, index) => isWhole(list[index], item))) return items;
  const form = (item: unknown): unknown => (encode === undefined ? item : encode(item as never));
  const isNew = newValues();
  for (const [index, item] of items.entries()) {
    if (isNew(form(item))) continue;
    const text = canonicalJson(form(item));
    throw new EqualItemsError(
      list,
      index,
      items.findIndex((other) => canonicalJson(form(other)) === text),
    );
  }
  return items;
}

/** True when a decoded value has all keys of its wire form, and no other. */
function isWhole(wire: unknown, decoded: unknown): boolean {
  if (typeof wire !== "object" || wire === null || typeof decoded !== "object" || decoded === null) return true;
  let keys = 0;
  for (const key in wire) {
    if (!Object.hasOwn(decoded, key)) return false;
    if (!isWhole((wire as Record<string, unknown>)[key], (decoded as Record<string, unknown>)[key])) return false;
    keys++;
  }
  for (const _ in decoded) keys--;
  return keys === 0;
}
