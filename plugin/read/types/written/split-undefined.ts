import { ts } from "ts-morph";

export interface SplitType {
  /** Type without `undefined`; absent when nothing remains. */
  readonly type?: ts.Type;
  /** Set instead of a smaller `type` when the checker has no type for the remaining members. */
  readonly members?: readonly ts.Type[];
  readonly optional: boolean;
}

/** Removes `undefined` from a type, and returns whether the type contained it. */
export function splitUndefined(type: ts.Type): SplitType {
  const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Void;
  if (type.flags & (empty | ts.TypeFlags.Never)) return { optional: true };
  if (!type.isUnion()) return { type, optional: false };
  const members = type.types.filter((member) => (member.flags & empty) === 0);
  const [only] = members;
  if (only === undefined) return { optional: true };
  if (members.length === type.types.length) return { type, optional: false };
  return { type: members.length === 1 ? only : (originOf(type, members.length) ?? type), members, optional: true };
}

/** Finds the named union to which `undefined` was added, so that a recursive union is recognised. */
function originOf(type: ts.UnionType, count: number): ts.Type | undefined {
  const origin = (type as { origin?: ts.Type }).origin;
  const parts =
    origin?.isUnion() === true ? origin.types.filter((member) => (member.flags & ts.TypeFlags.Undefined) === 0) : [];
  const [only] = parts;
  return parts.length === 1 && only?.isUnion() === true && only.types.length === count ? only : undefined;
}
