import type { JsonLiteral } from "../../model/type.ts";

/** A part of some JSON data. Equal parts are the same object. */
export type Part = Scalar | Composed;

interface Scalar {
  readonly kind: "scalar";
  readonly id: number;
  readonly value: string | number | boolean | null;
  readonly json: string;
  /** Length of the part's JSON in characters. */
  readonly length: number;
}

/** An object or an array. */
export interface Composed {
  readonly kind: "list" | "object";
  readonly id: number;
  /** Key that only equal parts share. */
  readonly key: string;
  readonly entries: readonly Entry[];
  /** Length of the part's JSON in characters. */
  readonly length: number;
}

/** An entry of an object, or an item of an array with an empty key. Equal entries are the same object. */
export interface Entry {
  readonly key: string;
  readonly part: Part;
  readonly id: number;
  /** Length of the JSON of key and part, in characters. */
  readonly length: number;
}

/** Maximum number of different parts, so that a pair of part numbers can be encoded as one number. */
const mostParts = 2 ** 26;
const item = { id: 0, length: 0 };

/** Numbers the parts of some data. Equal parts become one object, so that parts are never compared or printed again. */
export function numberParts(data: readonly JsonLiteral[]): readonly Part[] {
  const scalars = new Map<JsonLiteral, Scalar>();
  const composed = new Map<string, Composed>();
  const keys = new Map<string, { readonly id: number; readonly length: number }>();
  const entries = new Map<number, Entry>();
  /** Cache of parts by object, since the same schema object may occur in several places. */
  const objects = new Map<object, Part>();
  let parts = 0;

  const scalarOf = (value: Scalar["value"]): Scalar => {
    const known = scalars.get(value);
    if (known !== undefined) return known;
    const json = JSON.stringify(value);
    const scalar: Scalar = { kind: "scalar", id: parts++, value, json, length: json.length };
    scalars.set(value, scalar);
    return scalar;
  };
  /** Items of arrays get the key number 0, which belongs to no key. */
  const entryOf = (key: string | undefined, value: JsonLiteral): Entry => {
    const part = partOf(value);
    let known = key === undefined ? item : keys.get(key);
    if (known === undefined) keys.set(key ?? "", (known = { id: keys.size + 1, length: JSON.stringify(key).length }));
    const number = known.id * mostParts + part.id;
    let entry = entries.get(number);
    if (entry === undefined) {
      entry = { key: key ?? "", part, id: entries.size, length: known.length + part.length };
      entries.set(number, entry);
    }
    return entry;
  };
  const composedOf = (kind: Composed["kind"], all: readonly Entry[]): Composed => {
    const key = composedKey(kind, all);
    const known = composed.get(key);
    if (known !== undefined) return known;
    // Number of brackets, commas, and colons after keys.
    const signs = 2 + Math.max(0, all.length - 1) + (kind === "list" ? 0 : all.length);
    const length = all.reduce((sum, entry) => sum + entry.length, signs);
    const part: Composed = { kind, id: parts++, key, entries: all, length };
    composed.set(key, part);
    return part;
  };
  const partOf = (value: JsonLiteral): Part => {
    if (typeof value !== "object" || value === null) return scalarOf(value);
    const known = objects.get(value);
    if (known !== undefined) return known;
    const part = isList(value)
      ? composedOf(
          "list",
          value.map((one) => entryOf(undefined, one)),
        )
      : composedOf(
          "object",
          Object.keys(value).map((key) => entryOf(key, value[key] ?? null)),
        );
    objects.set(value, part);
    return part;
  };
  return data.map(partOf);
}

/** The key of an object or array with these entries. */
export function composedKey(kind: Composed["kind"], entries: readonly Entry[]): string {
  return `${kind}:${entries.map(({ id }) => id).join()}`;
}

/** A number for two neighbouring entries. */
export function pairOf(first: Entry, second: Entry): number {
  return first.id * mostParts + second.id;
}

function isList(value: object): value is readonly JsonLiteral[] {
  return Array.isArray(value);
}
