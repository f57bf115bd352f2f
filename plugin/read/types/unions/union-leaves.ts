import { ts } from "ts-morph";
import { remembered, type TypeContext } from "../../base/type-context.ts";
import { openType, type Opened } from "../written/written.ts";
import type { Written } from "../written/type-bindings.ts";
import { tagsOf } from "../written/written-tags.ts";

/** An alternative of a union as it was written. The compiler would merge alternatives of the same type. */
export interface Leaf extends Written {
  /** Members of the alternative, without `undefined`. */
  readonly types: readonly ts.Type[];
  readonly type: ts.Type;
  /** Node of the type to which the alternative's node leads, through names and type parameters. */
  readonly opened: ts.TypeNode;
  /** True if the alternative has comments, so that it differs from other alternatives of its type. */
  readonly isTagged: boolean;
}

const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never;

/**
 * Lists the alternatives of a union, through aliases without comments. A node that is not a union is the only
 * alternative.
 */
export function unionLeaves(context: TypeContext, written: Written): readonly Leaf[] {
  return remembered(context, "leaves", written, () => listLeaves(context, written));
}

function listLeaves(context: TypeContext, written: Written): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const visit = ({ node, bindings }: Written, depth: number): void => {
    const opened = openType(context, { node, bindings });
    if (ts.isUnionTypeNode(opened.node) && (opened.layers.length === 0 || depth === 0) && depth < 60) {
      for (const part of opened.node.types) visit({ node: part, bindings: opened.bindings }, depth + 1);
      return;
    }
    const type = leafType(context, opened);
    const types = (type.isUnion() ? type.types : [type]).filter((member) => (member.flags & empty) === 0);
    if (types.length > 0)
      leaves.push({
        node,
        bindings,
        opened: opened.node,
        type,
        types,
        isTagged: tagsOf(context, { node, bindings }) !== "",
      });
  };
  visit(written, 0);
  return leaves;
}

function leafType({ reading: { checker } }: TypeContext, { node, whole }: Opened): ts.Type {
  const type = whole === undefined ? undefined : checker.getTypeFromTypeNode(whole);
  return type !== undefined && (type.flags & ts.TypeFlags.Object) !== 0 ? type : checker.getTypeFromTypeNode(node);
}

/**
 * Assigns written alternatives to the members of a union: by identity of the types, else if only one alternative has
 * the member's form.
 */
export function leavesOf(
  { checker }: { readonly checker: ts.TypeChecker },
  members: readonly ts.Type[],
  leaves: readonly Leaf[],
): ReadonlyMap<ts.Type, readonly Leaf[]> {
  const given = new Set(members);
  const exact = new Map<ts.Type, Leaf[]>();
  const others: Leaf[] = [];
  for (const leaf of leaves) {
    for (const type of leaf.types) exact.set(type, [...(exact.get(type) ?? []), leaf]);
    if (leaf.types.some((type) => !given.has(type))) others.push(leaf);
  }
  const isLikeMember = (member: ts.Type, { types }: Leaf): boolean =>
    types.some((type) => !given.has(type) && isLike(checker, type, member));
  return new Map(
    members.map((member) => [member, exact.get(member) ?? others.filter((leaf) => isLikeMember(member, leaf))]),
  );
}

/** True for types of the same form: two tuples, two lists, or two uses of one declaration with any type arguments. */
function isLike(checker: ts.TypeChecker, type: ts.Type, member: ts.Type): boolean {
  if (checker.isTupleType(member)) return checker.isTupleType(type);
  if (checker.isArrayType(member)) return checker.isArrayType(type);
  const symbol = member.getSymbol();
  return symbol !== undefined && symbol === type.getSymbol();
}
