import { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";
import { report } from "../base/reading.ts";
import { makeUnion } from "./make-union.ts";
import { part } from "../base/type-context.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { orderMembers } from "./union-order.ts";
import { typeText } from "./unsupported.ts";

/** Reads a union. Members stay in their written order; `undefined` is left out where a value may be missing. */
export function readUnion(
  context: TypeContext,
  type: ts.UnionType,
  node: ts.TypeNode | undefined,
  site: Site,
): TypeModel {
  const { checker } = context.reading;
  const split = splitUndefined(type);
  if (split.optional && site.mayMiss !== true) {
    const message = `${site.subject} ${site.inner === true ? "contains" : "has"} type \`${typeText(context, type)}\`, and JSON has no \`undefined\`.`;
    report(context.reading, {
      code: "TN304",
      place: site.place,
      message,
      fix: "use `null`, or make a field optional with `?`",
    });
  }
  if (split.type !== undefined && split.type !== type) return context.read(split.type, node, site);
  const nodes = node === undefined ? site.nodes : [node, ...site.nodes];
  const members = orderMembers(checker, split.members ?? type.types, nodes);
  const inner = part(site, node);
  const written = writtenMembers(checker, node);
  const models = members.map((member) => context.read(member, written.get(member), inner));
  const union = makeUnion(models);
  if (union.kind === "union") context.unions.push({ union, site });
  return union;
}

/** The node of each member, which keeps the name it was written with. */
function writtenMembers(checker: ts.TypeChecker, node: ts.TypeNode | undefined): ReadonlyMap<ts.Type, ts.TypeNode> {
  const found = new Map<ts.Type, ts.TypeNode>();
  const collect = (part: ts.TypeNode): void => {
    if (ts.isParenthesizedTypeNode(part)) collect(part.type);
    else if (ts.isUnionTypeNode(part)) part.types.forEach(collect);
    else found.set(checker.getTypeFromTypeNode(part), part);
  };
  if (node !== undefined) collect(node);
  return found;
}

export interface SplitType {
  /** The type without `undefined`; absent when nothing remains. */
  readonly type?: ts.Type;
  /** Set instead of a smaller `type` when the checker has no type for the remaining members. */
  readonly members?: readonly ts.Type[];
  readonly optional: boolean;
}

/** Removes `undefined` from a type, and tells if it was there. */
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

/** The named union to which `undefined` was added, so that a recursive one is recognised. */
function originOf(type: ts.UnionType, count: number): ts.Type | undefined {
  const origin = (type as { origin?: ts.Type }).origin;
  const parts =
    origin?.isUnion() === true ? origin.types.filter((member) => (member.flags & ts.TypeFlags.Undefined) === 0) : [];
  const [only] = parts;
  return parts.length === 1 && only?.isUnion() === true && only.types.length === count ? only : undefined;
}
