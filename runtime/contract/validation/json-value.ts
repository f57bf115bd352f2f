/**
 * Basic checks of wire values for generated validators. Generated code imports them by name, since an author's own
 * `Object`, `Set` or `Number` could shadow the global one.
 */

/** True for a JSON object: neither `null` nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for an array, also one of another realm. */
export const isArray: (value: unknown) => value is unknown[] = Array.isArray;

/** True for a number without a fractional part, such as `1.0`. */
export const isInteger: (value: unknown) => value is number = Number.isInteger as never;

/** True for a signed integer of 32 bits. */
export function isInt32(value: unknown): boolean {
  return isInteger(value) && value >= -2147483648 && value <= 2147483647;
}

/** True for an unsigned integer of 32 bits. */
export function isUint32(value: unknown): boolean {
  return isInteger(value) && value >= 0 && value <= 4294967295;
}

/** True for a number that JSON can hold. */
export const isNumber: (value: unknown) => value is number = Number.isFinite as never;

/**
 * Returns the value of an own key, else `undefined`. Needed for names that every object inherits, such as
 * `constructor`.
 */
export function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Returns the length in Unicode code points, as JSON Schema counts; a lone surrogate counts as one. */
export function textLength(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) {
      length--;
      // Skips the second half of a surrogate pair.
      index++;
    }
  }
  return length;
}

/** True for a text of at most `maximum` code points. */
export function isWithin(text: string, maximum: number): boolean {
  // The cheap comparison mostly decides, since a text never has fewer UTF-16 units than code points.
  return text.length <= maximum || textLength(text) <= maximum;
}

/**
 * True for a multiple of `step`: the quotient in double precision is an integer. There is no tolerance, so `0.3` is not
 * a multiple of `0.1`. A quotient of 1e21 and more is refused. ajv has the same two rules.
 */
export function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

/** True when every undeclared own key of an object has a legal value. */
export function everyOther(
  value: Record<string, unknown>,
  declared: ReadonlySet<string> | undefined,
  isLegal: (value: unknown) => boolean,
): boolean {
  for (const key in value) {
    if (Object.hasOwn(value, key) && !declared?.has(key) && !isLegal(value[key])) return false;
  }
  return true;
}

/** True when all elements from `start` on are legal; checks the rest of a tuple. */
export function everyFrom(value: readonly unknown[], start: number, isLegal: (value: unknown) => boolean): boolean {
  for (let index = start; index < value.length; index++) if (!isLegal(value[index])) return false;
  return true;
}

/** A set of keys or literals, made once per module. */
export function setOf<T>(...values: readonly T[]): ReadonlySet<T> {
  return new Set(values);
}

/**
 * True when no two elements are equal as JSON, whatever the order of their keys. Takes time linear in the size of the
 * value.
 */
export function isUnique(values: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const structures = new Set<string>();
  for (const value of values) {
    if (isStructure(value)) structures.add(canonicalJson(value));
    else scalars.add(value);
  }
  return scalars.size + structures.size === values.length;
}

/** Removes elements that are equal as JSON to an earlier one. */
export function distinct(values: readonly unknown[]): unknown[] {
  const isNew = newValues();
  return values.filter(isNew);
}

/**
 * Creates a function that takes one value after the other, and returns true for each value that differs from all
 * earlier ones.
 */
export function newValues(): (value: unknown) => boolean {
  const scalars = new Set<unknown>();
  const structures = new Set<unknown>();
  // There are two sets, since a text may look like the JSON of an object. Comparing sizes of a set needs one look-up;
  // `has` and `add` need two.
  const add = (seen: Set<unknown>, key: unknown): boolean => {
    const before = seen.size;
    seen.add(key);
    return seen.size > before;
  };
  return (value) => (isStructure(value) ? add(structures, canonicalJson(value)) : add(scalars, value));
}

function isStructure(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** JSON with sorted keys: equal texts mean equal values. */
export function canonicalJson(value: unknown): string {
  // Sorted values are printed by Node's own function, which is faster than any loop: most keys are sorted already.
  if (isSorted(value)) return JSON.stringify(value) ?? String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const entries = Object.keys(value as object).toSorted();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`).join()}}`;
}

function isSorted(value: unknown): boolean {
  if (!isStructure(value)) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let last: string | undefined;
  for (const key in value) {
    if (last !== undefined && key < last) return false;
    if (!isSorted((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}
