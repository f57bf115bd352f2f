import { ts } from "ts-morph";
import { isOwnFile, placeOf, report } from "../../base/reading.ts";
import type { Site, TypeContext } from "../../base/type-context.ts";

/**
 * Warns of the public methods and getters of a class that callers send: they send plain objects, so `request.money.format()`
 * would be legal for the compiler and fail at run time.
 */
export function reportMethods(context: TypeContext, type: ts.Type, site: Site): void {
  const { reading } = context;
  const names = reading.checker.getPropertiesOfType(type).flatMap((property) => {
    const declaration = property.valueDeclaration;
    if (declaration === undefined || !ts.isClassLike(declaration.parent)) return [];
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
    if ((ts.getCombinedModifierFlags(declaration) & hidden) !== 0 || /^__[^@]/.test(property.name)) return [];
    // One that is named by a symbol has no name but the one that was written.
    const name = ts.getNameOfDeclaration(declaration)?.getText() ?? property.name;
    if (ts.isMethodDeclaration(declaration)) return [`\`${name}()\``];
    return ts.isAccessor(declaration) ? [`\`${name}\``] : [];
  });
  const [first] = names;
  if (first === undefined) return;
  const which = names.length === 1 ? first : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const declaration = type.getSymbol()?.declarations?.find(ts.isClassLike);
  const own = declaration !== undefined && isOwnFile(reading, declaration.getSourceFile());
  report(reading, {
    code: "TN319",
    place: own ? placeOf(declaration.name ?? declaration) : site.place,
    message: `Callers send plain objects, so a request's \`${type.getSymbol()?.name ?? "object"}\` does not have ${which}.`,
    fix: "write functions that take the data, or an interface for what callers send and make the object in the tool",
  });
}
