import type { ts } from "ts-morph";
import type { Reading } from "../base/reading.ts";
import { platformType } from "./platform-types.ts";
import { valueBase } from "./runtime-types.ts";
import { mappedParts } from "./written/kept-type.ts";
import { useOf } from "./written/property-source.ts";

/**
 * Finds the original of a mapped type such as `Readonly<T>`, if its values are a `Date`, a `Map` or a list: TypeScript
 * shows the result as an object with their methods. Undefined for all other types.
 */
export function mappedValue(reading: Reading, type: ts.Type): ts.Type | undefined {
  const { checker } = reading;
  const { declaration, modifiersType: source } = mappedParts(checker, type);
  if (source === undefined || declaration?.type === undefined) return undefined;
  if (useOf(declaration.type, declaration) === "other" || !isConverted(reading, source)) return undefined;
  // `Pick<Date, "getTime">` has only some of the members, and is an object.
  const isWhole = checker.getPropertiesOfType(type).length === checker.getPropertiesOfType(source).length;
  return isWhole ? source : undefined;
}

/** True for a list, and for a type that has a JSON form of its own, such as `Date`; also with a brand, or as a base. */
function isConverted(reading: Reading, type: ts.Type): boolean {
  const { checker } = reading;
  if (type.isIntersection()) return type.types.some((part) => isConverted(reading, part));
  if (checker.isArrayType(type) || checker.isTupleType(type)) return true;
  const kind = platformType(reading, type.getSymbol())?.kind;
  if (kind !== undefined) return kind !== "unsupported";
  const source = mappedValue(reading, type) ?? valueBase({ reading }, type);
  return source !== undefined && isConverted(reading, source);
}
