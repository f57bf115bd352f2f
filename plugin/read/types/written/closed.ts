import { ts } from "ts-morph";
import type { TypeContext } from "../../base/type-context.ts";
import { namedBy } from "./named-by.ts";

/**
 * True for a type node that contains no type parameter that is declared outside of it: its meaning does not depend on
 * where it is used.
 */
export function isClosed(context: TypeContext, root: ts.Node): boolean {
  const { closed } = context.reading;
  const names = (node: ts.Node): boolean => {
    const symbol = namedBy(context, node);
    const isOpen =
      symbol !== undefined &&
      (symbol.flags & ts.SymbolFlags.TypeParameter) !== 0 &&
      symbol.declarations?.some((one) => one.getSourceFile() !== root.getSourceFile() || !isWithin(one, root)) === true;
    return isOpen || node.kind === ts.SyntaxKind.ThisType || ts.forEachChild(node, names) === true;
  };
  const known = closed.get(root);
  if (known !== undefined) return known;
  const isSo = !names(root);
  closed.set(root, isSo);
  return isSo;
}

function isWithin(node: ts.Node, root: ts.Node): boolean {
  return node.pos >= root.pos && node.end <= root.end;
}
