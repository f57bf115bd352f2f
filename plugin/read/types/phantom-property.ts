import { ts } from "ts-morph";

/** Whether a key exists for the checker only: brands, typia's tags, symbols and `#private` names. */
export function isPhantomProperty(property: ts.Symbol): boolean {
  const name = String(property.escapedName);
  return (
    name.startsWith("__@") || name.startsWith("__#") || property.name === "typia.tag" || property.name === "__brand"
  );
}

/** Private and static members, and the methods and getters of classes: code, not data. */
export function isLeftOut(declaration: ts.Declaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static;
  if ((ts.getCombinedModifierFlags(declaration) & hidden) !== 0) return true;
  if (!ts.isClassLike(declaration.parent)) return false;
  return ts.isMethodDeclaration(declaration) || ts.isGetAccessor(declaration) || ts.isSetAccessor(declaration);
}
