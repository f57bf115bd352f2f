import { ts } from "ts-morph";
import type { TypeContext } from "../base/type-context.ts";

/** The symbol that the name in a type node means; `undefined` for nodes that are not a name. */
export function namedBy(context: TypeContext, node: ts.Node): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : ts.isImportTypeNode(node) && node.isTypeOf !== true
        ? node.qualifier
        : undefined;
  if (name === undefined) return undefined;
  const { checker } = context.reading;
  const symbol = checker.getSymbolAtLocation(name);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}
