import { canonicalJson, newValues } from "../json-value.ts";

/** Thrown when a list of distinct items, sent by a caller, contains two different texts that mean the same value. */
export class EqualItemsError extends Error {
  override readonly name: string = "EqualItemsError";
  /** The list as the caller sent it. */
  readonly list: readonly unknown[];
  /** Index of the second of the two items. */
  readonly index: number;
  /** Index of the first of the two items. */
  readonly first: number;

  constructor(list: readonly unknown[], index: number, first: number) {
    super(`Items ${first} and ${index} are equal.`);
    this.list = list;
    this.index = index;
    this.first = first;
  }
}

/**
 * Decodes a list with unique items and checks that they are still unique after decoding. Items that differ as JSON can
 * become equal: the same date-time can be written with different offsets, and unknown keys are dropped. Without this
 * check, a tool that returns the list which it received would fail, since duplicates in its result are refused.
 * `encode` makes decoded items comparable; it is absent if they are JSON already.
 */
export function decodeDistinct(
  list: readonly unknown[],
  decode: (item: never) => unknown,
  encode?: (item: never) => unknown,
): unknown[] {
  const items = list.map((item) => decode(item as never));
  // If no item has lost a key in decoding, the items are still distinct, as the validator has checked.
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

/** True when a decoded value has exactly the keys of its wire form. */
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
