import { canonicalJson } from "../../../runtime/contract/validation/json-value.ts";
import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";

/** Bounds and schemas of the elements of an array or a tuple. */
export interface Elements {
  readonly first: readonly FullSchema[];
  /** Schema of the elements after `first`; undefined: any value. */
  readonly rest: FullSchema | undefined;
  readonly least: number;
  readonly most: number;
  readonly isUnique: boolean;
}

/** Reads the keywords of an array as the validator does. */
export function elementsOf(schema: FullSchema): Elements {
  const { prefixItems, items, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  const isTuple = prefixItems !== undefined || items === false;
  return {
    first: prefixItems ?? [],
    rest: items === false ? undefined : items,
    least: minItems,
    most: items === false ? (prefixItems?.length ?? 0) : isTuple ? Infinity : maxItems,
    isUnique: uniqueItems === true && !isTuple,
  };
}

/** The schema of one element. */
export function elementAt({ first, rest }: Elements, index: number): FullSchema {
  return first[index] ?? rest ?? anyElement;
}

const anyElement: FullSchema = {};

/** An array of a given size; undefined when there is no value for an element. */
export function fillArray(
  schema: FullSchema,
  size: number,
  values: (part: FullSchema, index: number) => readonly unknown[],
): unknown[] | undefined {
  const elements = elementsOf(schema);
  const filled: unknown[] = [];
  const seen = new Set<string>();
  const ready = new Map<FullSchema, readonly unknown[]>();
  for (let index = 0; index < size; index++) {
    const part = elementAt(elements, index);
    let possible = ready.get(part);
    if (possible === undefined || index < elements.first.length) ready.set(part, (possible = values(part, index)));
    const value = elements.isUnique ? freshValue(possible, seen, index) : possible[0];
    if (value === undefined) return undefined;
    seen.add(canonicalJson(value));
    filled.push(value);
  }
  return filled;
}

/**
 * Finds a value that the array does not contain yet: a known value, or a variation of one, which the validator may
 * still refuse.
 */
function freshValue(possible: readonly unknown[], seen: ReadonlySet<string>, index: number): unknown {
  const known = possible.find((value) => !seen.has(canonicalJson(value)));
  if (known !== undefined) return known;
  const [first] = possible;
  if (typeof first === "number") return first + index;
  if (typeof first === "string") return first + String(index);
  return undefined;
}
