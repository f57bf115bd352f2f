import { ts } from "ts-morph";
import { isPlatformFile } from "../base/tenon-symbols.ts";
import type { TypeContext } from "../base/type-context.ts";
import { platformType } from "./platform-types.ts";
import { leaveOut } from "./unsupported.ts";

/** The fix for a type whose values exist only at run time, such as functions and streams; undefined for data. */
export function runtimeFix(context: TypeContext, type: ts.Type): string | undefined {
  if ((type.flags & ts.TypeFlags.Object) === 0)
    return type.flags & ts.TypeFlags.ESSymbolLike ? "use `string`" : undefined;
  const symbol = type.getSymbol();
  const own = platformType(context.reading, symbol);
  if (own !== undefined) return own.kind === "unsupported" ? own.fix : undefined;
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) return leaveOut;
  if (runtimeObject(context, type, symbol)) return "use an object with the fields that are needed";
  const base = platformType(context.reading, valueBase(context, type)?.getSymbol());
  return base?.kind === "unsupported" ? base.fix : undefined;
}

/** True for an interface of the platform with methods: an object of the run time, not data. */
function runtimeObject(context: TypeContext, type: ts.Type, symbol: ts.Symbol | undefined): boolean {
  if (symbol === undefined || (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) === 0) return false;
  if (symbol.declarations?.some((declaration) => isPlatformFile(context.reading, declaration.getSourceFile())) !== true)
    return false;
  return type
    .getProperties()
    .some((property) => (property.flags & ts.SymbolFlags.Method) !== 0 || property.name === "tenon.opaque");
}

/** Finds the list or platform type that an interface or class extends (`interface List extends Array<Item>`). */
export function valueBase(context: Pick<TypeContext, "reading">, type: ts.Type): ts.Type | undefined {
  if (!type.isClassOrInterface() && (type as ts.TypeReference).target?.isClassOrInterface() !== true) return undefined;
  const { checker } = context.reading;
  for (const base of checker.getBaseTypes(type as ts.InterfaceType)) {
    if (checker.isArrayType(base) || checker.isTupleType(base)) return base;
    const found = platformType(context.reading, base.getSymbol()) === undefined ? valueBase(context, base) : base;
    if (found !== undefined) return found;
  }
  return undefined;
}
