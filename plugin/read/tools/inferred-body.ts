import { ts } from "ts-morph";
import { UnresolvedInLean, type Reading } from "../base/reading.ts";
import { isError } from "../types/check-names.ts";

/**
 * Checks the body of a function when its result type is inferred from the body. An unresolved name in the body can give
 * a type that looks valid, so a `lean` program is used only if it can resolve every name of the body.
 */
export function checkInferredBody(reading: Reading, declaration: ts.SignatureDeclaration, body: ts.Node): void {
  const inferred =
    declaration.type === undefined || declaration.parameters.some((parameter) => parameter.type === undefined);
  if (!inferred) return;
  const visit = (node: ts.Node): void => {
    const asked =
      ts.isCallExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node);
    if (asked && isError(reading.checker.getTypeAtLocation(node))) throw new UnresolvedInLean();
    if (
      ts.isIdentifier(node) &&
      ts.isExpressionStatement(node.parent) === false &&
      isValueName(node) &&
      isError(reading.checker.getTypeAtLocation(node))
    ) {
      throw new UnresolvedInLean();
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
}

/** True for an identifier that is read as a value, not the name of a member or a declaration. */
function isValueName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    ts.isReturnStatement(parent) ||
    ts.isCallExpression(parent) ||
    ts.isNewExpression(parent) ||
    ts.isAwaitExpression(parent) ||
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === node) ||
    (ts.isPropertyAccessExpression(parent) && parent.expression === node) ||
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    (ts.isArrowFunction(parent) && parent.body === node)
  );
}
