import { ts } from "ts-morph";
import { isOwnFile, placeOf, type Place } from "../../base/reading.ts";
import { tenonName, tenonSymbol } from "../../base/tenon-symbols.ts";
import { splitUndefined } from "../../types/written/split-undefined.ts";
import type { TypeContext } from "../../base/type-context.ts";

/** One parameter of a tool, with the place for diagnostics. */
export interface Parameter {
  readonly symbol: ts.Symbol;
  readonly declaration: ts.ParameterDeclaration | undefined;
  readonly type: ts.Type;
  readonly place: Place;
}

/** Reads a parameter. `fallback` is its place if it is not in the author's own code. */
export function parameterOf(context: TypeContext, symbol: ts.Symbol, fallback: Place): Parameter {
  const declared = symbol.valueDeclaration;
  const declaration = declared !== undefined && ts.isParameter(declared) ? declared : undefined;
  const own = declaration !== undefined && isOwnFile(context.reading, declaration.getSourceFile());
  const type = context.reading.checker.getTypeOfSymbol(symbol);
  if (declaration?.type === undefined) context.reading.inferred = true;
  return { symbol, declaration, type, place: own ? placeOf(declaration.type ?? declaration) : fallback };
}

/** True for a parameter that gets the job and not data. */
export function isJob(context: TypeContext, parameter: Parameter): boolean {
  const node = parameter.declaration?.type;
  if (node !== undefined && ts.isTypeReferenceNode(node) && tenonName(context.reading, node.typeName) === "JobContext")
    return true;
  const type = splitUndefined(parameter.type).type;
  return tenonSymbol(context.reading, type?.getSymbol()) === "JobContext";
}

/** True for a rest parameter. */
export function isRest(parameter: Parameter): boolean {
  return parameter.declaration?.dotDotDotToken !== undefined;
}
