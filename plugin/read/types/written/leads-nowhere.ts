import { ts } from "ts-morph";
import type { Reached } from "../../base/reading.ts";
import type { TypeContext } from "../../base/type-context.ts";
import { namedBy } from "./named-by.ts";

/**
 * True when no way from a type node leads to a type parameter, nor to a node or declaration that `isSought`: then a
 * walk finds the same nothing with all bindings, and can be spared. Ways lead through names to aliases and to the bases
 * of interfaces and classes, and never into the members of objects.
 */
export function leadsNowhere(
  context: TypeContext,
  known: Reached,
  root: ts.Node,
  isSought: (node: ts.Node) => boolean = () => false,
  /** False for a root that binds all type parameters on its ways: what they stand for is then met as its own part. */
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
  // All that was met leads to what was met, and so nowhere as well.
  for (const node of seen) known.set(node, true);
  return true;
}
