import { ts } from "ts-morph";
import type { Reached } from "../../base/reading.ts";
import type { TypeContext } from "../../base/type-context.ts";
import { namedBy } from "./named-by.ts";

/**
 * True when nothing that is sought can be reached from a type node: neither a type parameter nor a node or declaration
 * for which `isSought` is true. A walk would then find nothing, whatever the bindings are, and can be skipped. The
 * search follows names to aliases and to the bases of interfaces and classes, but does not enter the members of
 * objects.
 */
export function leadsNowhere(
  context: TypeContext,
  known: Reached,
  root: ts.Node,
  isSought: (node: ts.Node) => boolean = () => false,
  /**
   * False for a root that binds all type parameters that can be reached: their arguments are then visited separately,
   * as parts of the root.
   */
  stopsAtParameters = true,
): boolean {
  const seen = new Set<ts.Node>();
  const leads = (node: ts.Node): boolean => {
    const before = known.get(node);
    if (before !== undefined) return !before;
    if (seen.has(node) || ts.isTypeElement(node)) return false;
    seen.add(node);
    const found = isParameter(node) || isSought(node) || leadsByName(node) || ts.forEachChild(node, leads) === true;
    if (found) known.set(node, false);
    return found;
  };
  const isParameter = (node: ts.Node): boolean =>
    stopsAtParameters &&
    (ts.isTypeParameterDeclaration(node) ||
      ((namedBy(context, node)?.flags ?? 0) & ts.SymbolFlags.TypeParameter) !== 0);
  const isGeneric = ({ typeParameters = [] }: { readonly typeParameters?: readonly ts.Node[] }): boolean =>
    stopsAtParameters && typeParameters.length > 0;
  const leadsByName = (node: ts.Node): boolean =>
    namedBy(context, node)?.declarations?.some((declaration) => {
      if (isSought(declaration)) return true;
      if (ts.isTypeAliasDeclaration(declaration)) return isGeneric(declaration) || leads(declaration.type);
      if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassLike(declaration)) return false;
      if (isGeneric(declaration)) return true;
      return (declaration.heritageClauses ?? []).some((clause) => clause.types.some(leads));
    }) === true;
  if (leads(root)) return false;
  // The search has visited everything that these nodes reach, and found nothing, so the result holds for all of them.
  for (const node of seen) known.set(node, true);
  return true;
}
