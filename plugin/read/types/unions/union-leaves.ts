import { ts } from "ts-morph";
import type { TypeContext } from "../../base/type-context.ts";
import { openType } from "../written/written.ts";
import type { Written } from "../written/type-bindings.ts";
import type { Opened } from "../written/written.ts";
import { tagsOf } from "../written/written-tags.ts";

/** A written alternative of a union. The compiler merges alternatives with the same type. */
export interface Leaf extends Written {
  /** Its members, `undefined` aside. */
  readonly types: readonly ts.Type[];
  readonly type: ts.Type;
  /** True if it has comments, so that it differs from others of its type. */
  readonly isTagged: boolean;
}

const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never;

/** The alternatives of a union, through aliases without comments; a single one for a node that is not a union. */
export function unionLeaves(context: TypeContext, written: Written): readonly Leaf[] {
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
      leaves.push({ node, bindings, type, types, isTagged: tagsOf(context, { node, bindings }) !== "" });
  };
  visit(written, 0);
  return leaves;
}

function leafType({ reading: { checker } }: TypeContext, { node, whole }: Opened): ts.Type {
  const type = whole === undefined ? undefined : checker.getTypeFromTypeNode(whole);
  return type !== undefined && (type.flags & ts.TypeFlags.Object) !== 0 ? type : checker.getTypeFromTypeNode(node);
}

/**
 * The written alternative for each member of a union, if there is one: by identity, else as the only one of its form.
 */
export function leavesOf(
  { checker }: { readonly checker: ts.TypeChecker },
  members: readonly ts.Type[],
  leaves: readonly Leaf[],
): ReadonlyMap<ts.Type, readonly Leaf[]> {
  const found = new Map<ts.Type, readonly Leaf[]>();
  for (const member of members) {
    const same = leaves.filter(({ types }) => types.includes(member));
    found.set(
      member,
      same.length > 0
        ? same
        : leaves.filter(({ types }) => types.some((type) => isLike(checker, type, member, members))),
    );
  }
  return found;
}

/** A type that contains type parameters is compared by its form. */
function isLike(checker: ts.TypeChecker, type: ts.Type, member: ts.Type, members: readonly ts.Type[]): boolean {
  if (members.includes(type)) return false;
  if (checker.isTupleType(member)) return checker.isTupleType(type);
  if (checker.isArrayType(member)) return checker.isArrayType(type);
  const symbol = member.getSymbol();
  return symbol !== undefined && symbol === type.getSymbol();
}
