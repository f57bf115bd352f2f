import { ts } from "ts-morph";
import { isOwnFile, placeOf, report, type Reading } from "../../base/reading.ts";
import { holdsData } from "../lost-members.ts";

/**
 * Reports a field of the author's interface that is named by a symbol, which JSON cannot express. Brands have such
 * names as well and are accepted: read-only and optional fields, types without information, and symbols that are
 * declared but never created.
 */
export function checkSymbolKey(reading: Reading, owner: ts.Type, declaration: ts.Declaration): void {
  if (!ts.isPropertySignature(declaration) && !ts.isMethodSignature(declaration)) return;
  const { name, questionToken } = declaration;
  if (!ts.isComputedPropertyName(name) || questionToken !== undefined || owner.isIntersection()) return;
  if (!isOwnFile(reading, declaration.getSourceFile())) return;
  // Methods are always reported, since a brand is not a method.
  const isMethod = ts.isMethodSignature(declaration);
  const isWellKnown = isMethod || name.expression.getText().startsWith("Symbol.");
  if (!isWellKnown && (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0) return;
  const { checker } = reading;
  if (!holdsData(checker, checker.getTypeAtLocation(declaration), "object")) return;
  const key = isMethod ? undefined : checker.getSymbolAtLocation(name.expression)?.valueDeclaration;
  if (key !== undefined && (ts.getCombinedModifierFlags(key) & ts.ModifierFlags.Ambient) !== 0) return;
  report(reading, {
    code: "TN301",
    place: placeOf(name),
    message: `${isMethod ? "Method" : "Field"} \`${name.getText()}\` is named by a symbol, which JSON cannot carry.`,
    fix: isMethod
      ? "remove it, or mark it `@internal`"
      : "name it by a text, or mark it `@internal`; a brand is `readonly` and has a symbol of its own",
  });
}
