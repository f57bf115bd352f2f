import { setKey } from "./codecs.ts";

type Test = (wire: unknown) => boolean;
type Convert = (value: unknown) => unknown;

/** A member of a union in generated code: its wire validator, and its decoder or encoder. */
export type Member = readonly [isLegal: Test, convert: Convert];

interface Part {
  readonly $schema?: unknown;
  readonly [key: string]: unknown;
}

/**
 * Decodes an object (or an array of objects) of a union whose members have no discriminating field. The result has the
 * keys of every member that accepts the object, at any depth, so that `{ a } | { a, b }` does not lose `b`. If two
 * members decode a key differently, the member that declares more of the object's keys wins.
 */
export function decodeMembers(wire: unknown, members: readonly Member[]): unknown {
  const parts: Part[] = [];
  for (const [isLegal, convert] of members) if (isLegal(wire)) addPart(parts, convert(wire));
  return merge(parts, schemaOf(wire), false) ?? wire;
}

/**
 * Encodes a value of a union without a discriminating field, with the keys of every member whose encoding of the value
 * is legal.
 */
export function encodeMembers(value: unknown, members: readonly Member[]): unknown {
  const parts: Part[] = [];
  for (const [isLegal, convert] of members) {
    const wire = convert(value);
    if (isLegal(wire)) addPart(parts, wire);
  }
  return merge(parts, schemaOf(value), true) ?? members[0]?.[1](value);
}

/**
 * Encodes by the first member whose encoding is legal. If there is none, returns the value itself, which the validator
 * then refuses.
 */
export function encodeFirst(value: unknown, members: readonly Member[]): unknown {
  for (const [isLegal, convert] of members) {
    const wire = convert(value);
    if (isLegal(wire)) return wire;
  }
  return members.length > 0 ? members[0]?.[1](value) : value;
}

/**
 * Merges the results of several members for one value. `named` is the value's own `$schema`. In an author's value, it
 * alone selects the member (`decides`). On the wire, every member that accepts the value also accepts its `$schema`, so
 * it is only used to break a tie.
 */
function merge(objects: readonly Part[], named: unknown, decides: boolean): object | undefined {
  // A single result needs no merging: most values belong to one member.
  if (objects.length < 2) return objects[0];
  const isNamed = (part: Part): boolean => part.$schema !== undefined && part.$schema === named;
  const same = decides ? objects.filter(isNamed) : [];
  // The member that declares most keys is the best match. Members with another schema URN add no keys.
  const rank = (part: Part): number =>
    Object.keys(part).length - (part.$schema === undefined ? 0 : 1) + (isNamed(part) ? 0.5 : 0);
  const [best, ...others] = (same.length > 0 ? same : objects).toSorted((one, other) => rank(other) - rank(one));
  return others.reduce<Part | undefined>((joined, part) => addKeys(joined, part) as Part, best);
}

/** Merges several conversions of one value; `undefined` when none of them is an object. */
export function mergeParts(parts: readonly unknown[]): object | undefined {
  const objects: Part[] = [];
  for (const part of parts) addPart(objects, part);
  return merge(objects, undefined, false);
}

function addPart(parts: Part[], part: unknown): void {
  if (typeof part === "object" && part !== null) parts.push(part as Part);
}

function schemaOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (value as Part).$schema : undefined;
}

/** Cache of the results of a module's recursive functions during one outermost call, by function and value. */
export interface Memory {
  seen?: Map<Compute, Map<object, unknown>> | undefined;
}

type Compute = (value: unknown) => unknown;

/**
 * Calls a function once per object, for recursive types whose unions are tried member by member. Without the cache, m
 * members and a value of depth n cost mⁿ calls. All functions share the cache, which is cleared when the outermost call
 * ends: a decoder calls validators at each level, which would otherwise validate all deeper levels again, n² times in
 * all.
 */
export function remember(memory: Memory, compute: Compute, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return compute(value);
  const isOutermost = memory.seen === undefined;
  const functions = (memory.seen ??= new Map<Compute, Map<object, unknown>>());
  let seen = functions.get(compute);
  if (seen === undefined) functions.set(compute, (seen = new Map()));
  try {
    if (seen.has(value)) return seen.get(value);
    const outcome = compute(value);
    seen.set(value, outcome);
    return outcome;
  } finally {
    if (isOutermost) memory.seen = undefined;
  }
}

/**
 * Adds the keys that only `part` has to `best`, at any depth. Both are results for one value by different types; if
 * they differ in a key, `best` wins. Neither argument is changed, since a cached part may be used elsewhere as well.
 */
function addKeys(best: unknown, part: unknown): unknown {
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
