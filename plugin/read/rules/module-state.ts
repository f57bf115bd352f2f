import { ts } from "ts-morph";
import { placeOf, report } from "../base/reading.ts";
import type { Reading } from "../base/reading.ts";

/** Warns about assignments inside a tool to variables of its module: jobs run at the same time. */
export function checkModuleState(reading: Reading, tool: string, body: ts.Node): void {
  const visit = (node: ts.Node): void => {
    const target = assignedBy(node);
    if (target !== undefined) checkTarget(reading, tool, target);
    ts.forEachChild(node, visit);
  };
  visit(body);
}

/** The expression that a node assigns to. */
export function assignedBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? node.left : undefined;
  }
  if (ts.isPostfixUnaryExpression(node)) return node.operand;
  if (ts.isPrefixUnaryExpression(node)) {
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
      ? node.operand
      : undefined;
  }
  return ts.isDeleteExpression(node) ? node.expression : undefined;
}

/** The variable that an expression is a part of. */
export function rootOf(target: ts.Expression): ts.Expression {
  let root: ts.Expression = target;
  while (
    ts.isPropertyAccessExpression(root) ||
    ts.isElementAccessExpression(root) ||
    ts.isParenthesizedExpression(root) ||
    ts.isNonNullExpression(root) ||
    ts.isAsExpression(root)
  ) {
    root = root.expression;
  }
  return root;
}

function checkTarget(reading: Reading, tool: string, target: ts.Expression): void {
  const root = rootOf(target);
  if (ts.isArrayLiteralExpression(root)) {
    for (const element of root.elements)
      checkTarget(reading, tool, ts.isSpreadElement(element) ? element.expression : element);
    return;
  }
  if (!ts.isIdentifier(root)) return;
  const symbol = reading.checker.getSymbolAtLocation(root);
  const declaration = symbol?.declarations?.[0];
  if (declaration === undefined || !isModuleState(declaration)) return;
  report(reading, {
    code: "TN204",
    place: placeOf(target),
    message: `Tool \`${tool}\` changes \`${root.text}\`, which all jobs of this module share.`,
    fix: "keep it in a variable of the function",
  });
}

/** True for a variable at the top of a module, or an export of another module. */
function isModuleState(declaration: ts.Declaration): boolean {
  if (ts.isImportSpecifier(declaration) || ts.isImportClause(declaration) || ts.isNamespaceImport(declaration))
    return true;
  if (!ts.isVariableDeclaration(declaration)) return false;
  const statement = declaration.parent.parent;
  return ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent);
}
