import { ts } from "ts-morph";
import type { TypeContext } from "../../base/type-context.ts";
import { isClosed } from "./closed.ts";
import { holdsInfer } from "./inferred-parts.ts";
import { boundNode, type Written } from "./type-bindings.ts";

/**
 * Finds the branch that a conditional type takes, if that can be determined without the compiler; undefined in doubt.
 * If members of a union take different branches, returns the branch that is not `never`, because such a type selects a
 * part of the union, as `Extract` does.
 */
export function takenBranch(
  context: TypeContext,
  { checkType, extendsType, trueType, falseType }: ts.ConditionalTypeNode,
  bindings: Written["bindings"],
): ts.TypeNode | undefined {
  const { checker } = context.reading;
  const [check, wanted] = [checkType, extendsType].map((node) => boundNode(context, { node, bindings }).node);
  const isFixed = (node: ts.TypeNode | undefined): node is ts.TypeNode => node !== undefined && isClosed(context, node);
  if (!isFixed(check)) return undefined;
  const type = checker.getTypeFromTypeNode(check);
  // The members of a union are checked one by one if the checked type is a type parameter alone.
  const members = check !== checkType && type.isUnion() ? type.types : [type];
  const pattern = holdsInfer(extendsType) ? checker.getTypeFromTypeNode(extendsType) : undefined;
  if (pattern === undefined && !isFixed(wanted)) return undefined;
  const verdicts = new Set(
    members.map((member) =>
      pattern === undefined || wanted === undefined
        ? wanted && checker.isTypeAssignableTo(member, checker.getTypeFromTypeNode(wanted))
        : isOther(checker, member, pattern),
    ),
  );
  if (verdicts.has(undefined)) return undefined;
  if (verdicts.size === 1) return verdicts.has(true) ? trueType : falseType;
  if (isNever(trueType)) return falseType;
  return isNever(falseType) ? trueType : undefined;
}

/** False for a type that cannot match a pattern with `infer` in a list or a named type; undefined in doubt. */
function isOther(checker: ts.TypeChecker, member: ts.Type, pattern: ts.Type): false | undefined {
  const isNamed = checker.isArrayType(pattern) || (pattern.symbol?.flags & ts.SymbolFlags.Interface) !== 0;
  const isPrimitive = (member.flags & (ts.TypeFlags.Object | ts.TypeFlags.Instantiable)) === 0;
  if (!isNamed || member.isUnionOrIntersection()) return undefined;
  return isPrimitive || checker.getPropertiesOfType(pattern).some(({ name }) => member.getProperty(name) === undefined)
    ? false
    : undefined;
}

function isNever(node: ts.TypeNode): boolean {
  return node.kind === ts.SyntaxKind.NeverKeyword;
}
