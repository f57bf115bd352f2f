import { ts } from "ts-morph";

/** True for a key that exists only for the type checker: brands, typia's tags, symbols and `#private` names. */
export function isPhantomProperty(property: ts.Symbol): boolean {
  const name = String(property.escapedName);
  return (
    name.startsWith("__@") || name.startsWith("__#") || property.name === "typia.tag" || property.name === "__brand"
  );
}

/** True for private and static members, and for methods and getters of classes: code, not data. */
export function isLeftOut(declaration: ts.Declaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static;
  if ((ts.getCombinedModifierFlags(declaration) & hidden) !== 0) return true;
  if (!ts.isClassLike(declaration.parent)) return false;
  return ts.isMethodDeclaration(declaration) || ts.isGetAccessor(declaration) || ts.isSetAccessor(declaration);
}
