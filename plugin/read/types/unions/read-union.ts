import { ts } from "ts-morph";
import type { TypeModel } from "../../../model/type.ts";
import { lostMembers } from "../lost-members.ts";
import { makeUnion } from "./make-union.ts";
import { part, type Site, type TypeContext } from "../../base/type-context.ts";
import { runtimeFix } from "../runtime-types.ts";
import { splitUndefined } from "../written/split-undefined.ts";
import { orderMembers } from "./union-order.ts";
import { unionLeaves, leavesOf, type Leaf } from "./union-leaves.ts";
import { absentFix, holds, leaveOut, reportType, typeText } from "../unsupported.ts";
import { noBindings, writtenAt, type Written } from "../written/type-bindings.ts";
import { openType } from "../written/written.ts";

/** Removes `undefined` from a type. Reports it unless the value may be missing at this place. */
export function withoutUndefined(context: TypeContext, type: ts.Type, site: Site): ts.Type {
  if (!type.isUnion()) return type;
  const split = splitUndefined(type);
  if (split.optional && site.mayMiss !== true) {
    const text = typeText(context, type);
    reportType(context, site, {
      code: "TN304",
      message: `${holds(site)} type \`${text}\`, and JSON has no \`undefined\`.`,
      type: text,
      fix: absentFix(site),
    });
  }
  return split.type ?? type;
}

/** Reads a union. Members are in their written order; `undefined` is left out. */
export function readUnion(
  context: TypeContext,
  type: ts.UnionType,
  node: ts.TypeNode | undefined,
  site: Site,
): TypeModel {
  const { checker } = context.reading;
  const written = writtenAt(node, site);
  const all = written === undefined ? [] : unionLeaves(context, written);
  const opened = all.map((leaf) => leaf.opened);
  const nodes = node === undefined ? site.nodes : [...opened, node, ...site.nodes];
  const given = withoutImpossible(context, splitUndefined(type).members ?? type.types, site);
  const members = orderMembers(checker, withoutRuntime(context, given, site), nodes);
  // The aliases of a union that is written by a name are already applied, unless a mapped type has added members.
  const [first, second] = all;
  const isWhole = second === undefined && first?.node === node && includesAll(new Set(first?.types), members);
  const leaves = isWhole ? [] : all;
  const inner: Site = { ...part(site, node), ...(site.isField === true && { isMember: true as const }) };
  const union = unionOf(readMembers(context, type, members, leaves, inner));
  if (union.kind === "union") context.unions.push({ union, site });
  return union;
}

/**
 * Removes members that no JSON value can have, such as `"left" & { expr: string }`. If another member accepts one of
 * their parts, they add nothing to the union, like `never`. Otherwise they are reported, unless a package declares
 * them.
 */
function withoutImpossible(context: TypeContext, members: readonly ts.Type[], site: Site): readonly ts.Type[] {
  const impossible = new Set(members.filter((one) => one.isIntersection() && lostMembers(context, one).length > 0));
  const possible = members.filter((member) => !impossible.has(member));
  if (impossible.size === 0 || possible.length === 0) return members;
  const { checker } = context.reading;
  const isTaken = (part: ts.Type): boolean => possible.some((one) => checker.isTypeAssignableTo(part, one));
  const isIdle = (member: ts.Type): boolean =>
    site.foreign === true || (member.isIntersection() && member.types.some(isTaken));
  return members.filter((member) => !impossible.has(member) || !isIdle(member));
}

/** Removes members of a package's union that callers cannot send, such as a function beside a text. */
function withoutRuntime(context: TypeContext, members: readonly ts.Type[], site: Site): readonly ts.Type[] {
  if (site.foreign !== true || !context.isRequest) return members;
  const left = members.filter((member) => runtimeFix(context, member) === undefined);
  if (left.length === 0 || left.length === members.length) return members;
  for (const member of members.filter((one) => !left.includes(one)))
    reportType(context, site, {
      code: "TN320",
      message: `may be \`${typeText(context, member)}\` in a package's type. JSON cannot carry it: callers send one of the others.`,
      type: typeText(context, member),
      fix: leaveOut,
    });
  return left;
}

/**
 * Reads `Email | Phone`, which the compiler merges to `string`, as the written union; undefined for all other types.
 */
export function readMergedUnion(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
): TypeModel | undefined {
  if (node === undefined || type.isUnion() || (type.flags & merging) === 0) return undefined;
  const written = { node, bindings: site.bindings ?? noBindings };
  if (!ts.isUnionTypeNode(openType(context, written).node)) return undefined;
  const leaves = unionLeaves(context, written);
  if (!leaves.some((leaf) => leaf.isTagged)) return undefined;
  return unionOf(readMembers(context, type, [type], leaves, part(site, node)));
}

const merging = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.Object;

/**
 * Finds the only written alternative that remains in a union: `Email` in `Email | undefined` without `undefined`, and
 * in `Exclude<Email | null, null>`.
 */
export function soleLeaf(context: TypeContext, type: ts.Type, node: ts.TypeNode, site: Site): Written | undefined {
  const written = { node, bindings: site.bindings ?? noBindings };
  const opened = openType(context, written).node;
  if (!ts.isUnionTypeNode(opened)) return undefined;
  const members = membersOf(type);
  const before = new Set(membersOf(context.reading.checker.getTypeFromTypeNode(opened)));
  for (const member of members) before.delete(member);
  const isGone = (one: ts.Type): boolean => before.has(one);
  const leaves = unionLeaves(context, written);
  const found = new Set([...leavesOf(context.reading, members, leaves).values()].flat());
  const [only, other] = leaves.filter((leaf) => found.has(leaf) || !leaf.types.every(isGone));
  return other === undefined && only?.node !== node && only?.types.some(isGone) === false ? only : undefined;
}

function membersOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/**
 * Reads the members of a union. Each is read with the node by which it was written, so that its name and its tags are
 * not lost.
 */
function readMembers(
  context: TypeContext,
  whole: ts.Type,
  members: readonly ts.Type[],
  leaves: readonly Leaf[],
  inner: Site,
): readonly TypeModel[] {
  const leavesFor = leavesOf(context.reading, members, leaves);
  const given = new Set(members);
  const partial = new Map(
    leaves.filter((leaf) => !isAllOf(leaf, whole, given)).map((leaf) => [leaf, new Set(leaf.types)]),
  );
  const done = new Set<Leaf>();
  const models = members.flatMap((member): readonly TypeModel[] => {
    const all = leavesFor.get(member) ?? [];
    const plain = all.find((leaf) => !leaf.isTagged);
    if (plain !== undefined || all.length === 0) {
      const exact = plain?.types.length === 1 ? plain : undefined;
      return [context.read(member, exact?.node, { ...inner, bindings: exact?.bindings })];
    }
    return all.flatMap((leaf) => {
      if (partial.get(leaf)?.has(member) === true)
        return [context.read(member, undefined, { ...inner, mayMiss: true })];
      if (done.has(leaf)) return [];
      done.add(leaf);
      const type = leaf.types.length === 1 ? member : leaf.type;
      return [context.read(type, leaf.node, { ...inner, mayMiss: true, bindings: leaf.bindings })];
    });
  });
  // Adds literals that the compiler has merged into `string` or `number`: beside a type with constraint tags, a literal
  // stays a member of its own.
  const found = new Set([...leavesFor.values()].flat());
  const wide = members.reduce((flags, member) => flags | member.flags, 0);
  const isBeside = (type: ts.Type): boolean => {
    if (type.isStringLiteral()) return (wide & ts.TypeFlags.String) !== 0;
    return type.isNumberLiteral() && (wide & ts.TypeFlags.Number) !== 0;
  };
  const beside = leaves.filter((leaf) => !found.has(leaf) && leaf.types.every(isBeside));
  return [
    ...models,
    ...beside.map((leaf) => context.read(leaf.type, leaf.node, { ...inner, bindings: leaf.bindings })),
  ];
}

/**
 * True for an alternative that is read by its own type: all of its members are in the union. The union itself does not
 * count, since reading it would be endless.
 */
function isAllOf({ type, types }: Leaf, whole: ts.Type, members: ReadonlySet<ts.Type>): boolean {
  return types.length === 1 || (type !== whole && includesAll(members, types));
}

function includesAll(set: ReadonlySet<ts.Type>, types: readonly ts.Type[]): boolean {
  return types.every((type) => set.has(type));
}

/** Makes a union of some types; `Email | null` gets the texts of `Email`. */
function unionOf(models: readonly TypeModel[]): TypeModel {
  const [only, other] = models.filter((model) => model.kind !== "literal" || model.value !== null);
  if (only === undefined || other !== undefined || only.kind === "object" || only.kind === "ref")
    return makeUnion(models);
  const { title, description, deprecated, examples, ...bare } = only;
  return {
    ...makeUnion(models.map((model) => (model === only ? bare : model))),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(examples !== undefined && { examples }),
  };
}
