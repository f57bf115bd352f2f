import { ts } from "ts-morph";
import type { AdoptContext } from "../base/context.ts";
import { declarationOf } from "../base/follow.ts";

/** Methods whose result is a text. */
const methods: ReadonlySet<string> = new Set(
  "join padEnd padStart repeat replace replaceAll slice stringify substring toFixed toISOString toLowerCase toString toUpperCase trim".split(
    " ",
  ),
);

/** True for an expression that is certainly a text. */
export function isTextual(context: AdoptContext, node: ts.Expression, depth = 0): boolean {
  const on = (inner: ts.Expression): boolean => depth < 10 && isTextual(context, inner, depth + 1);
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true;
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isNonNullExpression(node))
    return on(node.expression);
  if (ts.isConditionalExpression(node)) return on(node.whenTrue) && on(node.whenFalse);
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken && (on(node.left) || on(node.right));
  if (ts.isIdentifier(node)) {
    const declaration = declarationOf(context, node);
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false;
    if (declaration.type !== undefined) return declaration.type.kind === ts.SyntaxKind.StringKeyword;
    return declaration.initializer !== undefined && on(declaration.initializer);
  }
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  // Lists have a method `slice` as well, so for `slice` the object must be a text.
  if (ts.isPropertyAccessExpression(expression) && methods.has(expression.name.text))
    return expression.name.text !== "slice" || on(expression.expression);
  return ts.isIdentifier(expression) && returnsText(context, expression);
}

function returnsText(context: AdoptContext, name: ts.Identifier): boolean {
  const declaration = declarationOf(context, name);
  const target = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  if (target === undefined || !(ts.isFunctionDeclaration(target) || ts.isArrowFunction(target))) return false;
  return /^(?:Promise<string>|string)$/.test(target.type?.getText() ?? "");
}
