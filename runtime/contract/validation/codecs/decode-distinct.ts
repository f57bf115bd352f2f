import { canonicalJson, newValues } from "../json-value.ts";

/** Thrown for a list of distinct items in which two different texts mean the same value. The caller sent it. */
export class EqualItemsError extends Error {
  override readonly name: string = "EqualItemsError";
  /** The list as it was sent. */
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
 * Decodes a list whose items must be distinct also once they are read: one moment has many texts, and unknown keys are
 * dropped. The validator compares what was sent, so a result with these items would be refused otherwise. `encode` is
 * absent where decoded items are JSON.
 */
export function decodeDistinct(
  list: readonly unknown[],
  decode: (item: never) => unknown,
  encode: (item: never) => unknown = (item) => item,
): unknown[] {
  const isNew = newValues();
  return list.map((item, index) => {
    const decoded = decode(item as never);
    if (isNew(encode(decoded as never))) return decoded;
    const text = canonicalJson(encode(decoded as never));
    const first = list.findIndex((other) => canonicalJson(encode(decode(other as never) as never)) === text);
    throw new EqualItemsError(list, index, first);
  });
}
