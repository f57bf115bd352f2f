import { ts } from "ts-morph";
import { type Reading, UnresolvedInLean } from "../base/reading.ts";

/** Returns an expression without parentheses and type assertions. */
export function bareExpression(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
    ? bareExpression(node.expression)
    : node;
}

/** Finds the declaration of the value to which a name refers, in this module or in an imported module. */
export function declarationOf(reading: Reading, name: ts.Expression): ts.Declaration | undefined {
  const { checker } = reading;
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  const target = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const declaration = target.valueDeclaration;
  if (declaration === undefined && reading.canRetry) throw new UnresolvedInLean();
  if (declaration !== undefined) reading.touched.add(declaration.getSourceFile());
  return declaration;
}

/** True for a variable that cannot change. */
export function isConst(declaration: ts.VariableDeclaration): boolean {
  return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
}
