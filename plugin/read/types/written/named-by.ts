import { ts } from "ts-morph";
import type { TypeContext } from "../../base/type-context.ts";

/** The symbol to which the name in a type node refers; `undefined` for nodes that are not a name. */
export function namedBy(context: TypeContext, node: ts.Node): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : ts.isImportTypeNode(node) && node.isTypeOf !== true
        ? node.qualifier
        : undefined;
  if (name === undefined) return undefined;
  const { checker, symbols } = context.reading;
  if (symbols.has(node)) return symbols.get(node);
  const found = checker.getSymbolAtLocation(name);
  const isAlias = found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(found) : found;
  symbols.set(node, symbol);
  return symbol;
}
