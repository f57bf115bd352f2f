import { setKey } from "./codecs.ts";

type Test = (wire: unknown) => boolean;
type Convert = (value: unknown) => unknown;

/** A member of a union as generated code sees it: what it accepts on the wire, and its decoder or encoder. */
export type Member = readonly [isLegal: Test, convert: Convert];

/**
 * Decodes an object of a union whose members cannot be told apart by one field: it gets the keys of every member that
 * accepts it, so that `{ a } | { a, b }` does not lose `b`. Where two members decode a key differently the first wins.
 */
export function decodeMembers(wire: unknown, members: readonly Member[]): unknown {
  return merge(members, (isLegal, convert) => (isLegal(wire) ? convert(wire) : undefined), wire);
}

/** Encodes a value of such a union: the keys of every member whose encoding of it is legal. */
export function encodeMembers(value: unknown, members: readonly Member[]): unknown {
  return merge(
    members,
    (isLegal, convert) => {
      const wire = convert(value);
      return isLegal(wire) ? wire : undefined;
    },
    value,
  );
}

/** The encoding by the first member whose encoding is legal; without one the value itself, for the validator to refuse. */
export function encodeFirst(value: unknown, members: readonly Member[]): unknown {
  for (const [isLegal, convert] of members) {
    const wire = convert(value);
    if (isLegal(wire)) return wire;
  }
  return members.length > 0 ? members[0]?.[1](value) : value;
}

function merge(members: readonly Member[], apply: (isLegal: Test, convert: Convert) => unknown, fallback: unknown): unknown {
  let merged: object | undefined;
  for (const [isLegal, convert] of members) {
    const part = apply(isLegal, convert);
    if (typeof part !== "object" || part === null) continue;
    if (merged === undefined) {
      merged = part;
      continue;
    }
    for (const key of Object.keys(part)) {
      if (!Object.hasOwn(merged, key)) setKey(merged, key, (part as Record<string, unknown>)[key]);
    }
  }
  return merged ?? fallback;
}
