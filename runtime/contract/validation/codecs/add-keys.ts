import { setKey } from "./codecs.ts";

/**
 * Adds the keys that only `part` has to `best`, at any depth, where both were made of one value by different types.
 * On a difference `best` wins. Neither argument is changed, since a remembered part may be used elsewhere as well.
 */
export function addKeys(best: unknown, part: unknown): unknown {
  if (best === part || typeof best !== "object" || typeof part !== "object" || best === null || part === null)
    return best;
  if (Array.isArray(best)) return Array.isArray(part) ? addItems(best, part) : best;
  if (best instanceof Set) return part instanceof Set ? new Set(addItems([...best], [...part])) : best;
  if (best instanceof Map) {
    if (!(part instanceof Map)) return best;
    return new Map(Array.from(best, ([key, value]) => [key, part.has(key) ? addKeys(value, part.get(key)) : value]));
  }
  return isPlain(best) && isPlain(part) && best["$schema"] === part["$schema"] ? addFields(best, part) : best;
}

function addItems(best: readonly unknown[], part: readonly unknown[]): readonly unknown[] {
  return best.length === part.length ? best.map((item, index) => addKeys(item, part[index])) : best;
}

function addFields(best: Record<string, unknown>, part: Record<string, unknown>): object {
  const merged = { ...best };
  for (const key of Object.keys(part))
    setKey(merged, key, Object.hasOwn(best, key) ? addKeys(best[key], part[key]) : part[key]);
  return merged;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
