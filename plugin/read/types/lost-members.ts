import { ts } from "ts-morph";
import { platformType } from "./platform-types.ts";
import { isLeftOut, isPhantomProperty } from "./phantom-property.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { holds, reportType, typeText } from "./unsupported.ts";

/** Kind of value that has additional members. A primitive loses them at run time, a list or a `Date` keeps them. */
export type Beside = "primitive" | "object";

/**
 * True for a part of an intersection that is the value itself: a primitive, a list, or a converted type such as `Date`.
 */
export function isValue({ reading }: TypeContext, part: ts.Type): boolean {
  if ((part.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) === 0) return true;
  const { checker } = reading;
  return (
    checker.isArrayType(part) || checker.isTupleType(part) || platformType(reading, part.getSymbol()) !== undefined
  );
}

/**
 * Returns the members that a value of an intersection has at run time but not in JSON; empty if no part is a value such
 * as a text, a list or a `Date`.
 */
export function lostMembers(context: TypeContext, { types }: ts.IntersectionType): readonly string[] {
  const values = types.filter((part) => isValue(context, part));
  if (values.length === 0) return [];
  const beside = values.some((part) => (part.flags & ts.TypeFlags.Object) !== 0) ? "object" : "primitive";
  const rest = types.filter((part) => !values.includes(part));
  return rest.flatMap((part) => dataMembers(context.reading.checker, part, beside));
}

/** Reports the members of a type that are lost because only the value itself is sent: a text, a list, a `Date`. */
export function reportLost(context: TypeContext, type: ts.Type, members: readonly string[], site: Site): void {
  const [first] = members;
  if (first === undefined) return;
  const which = members.length === 1 ? first : `${members.slice(0, -1).join(", ")} and ${members.at(-1)}`;
  const text = typeText(context, type);
  reportType(context, site, {
    code: "TN301",
    message: `${holds(site)} type \`${text}\`; of its value JSON cannot carry ${which}.`,
    type: text,
    fix: "use an object with a field for the value and fields for the rest; the name of a brand begins with `__`, or is a symbol",
  });
}

/** Lists the data members of a type, as texts for a message. Brands, typia's tags and the like are left out. */
export function dataMembers(checker: ts.TypeChecker, type: ts.Type, beside: Beside): readonly string[] {
  const names = checker
    .getPropertiesOfType(type)
    .filter((property) => isData(checker, property, beside))
    .map((property) => `\`${property.name}\``);
  const others = checker.getIndexInfosOfType(type).some((info) => holdsData(checker, info.type, beside));
  const isCalled = type.getCallSignatures().length + type.getConstructSignatures().length > 0;
  return [...names, ...(others ? ["its other keys"] : []), ...(isCalled ? ["its function"] : [])];
}

function isData(checker: ts.TypeChecker, property: ts.Symbol, beside: Beside): boolean {
  // Matches names of brands: libraries use `__type__`, `_tag` or, with a blank, ` brand`. On an object, `_id` may well
  // be data.
  const brand = beside === "primitive" ? /^[^\p{L}\p{N}]/u : /^(?:__| )/;
  const { valueDeclaration } = property;
  if (isPhantomProperty(property) || brand.test(property.name)) return false;
  if (valueDeclaration !== undefined && isLeftOut(valueDeclaration)) return false;
  return holdsData(checker, checker.getTypeOfSymbol(property), beside);
}

const { Literal, ESSymbolLike, Null, Undefined, Void, Never } = ts.TypeFlags;
const tellsNothing = Literal | ESSymbolLike | Null | Undefined | Void | Never;

/** True for a type that holds information. A literal, a symbol, `never` and objects of these hold none. */
export function holdsData(checker: ts.TypeChecker, type: ts.Type, beside: Beside, depth = 0): boolean {
  const { flags } = type;
  if (flags & tellsNothing) return false;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return beside !== "primitive";
  if (flags & ts.TypeFlags.Boolean || depth > 3) return true;
  const inside = (part: ts.Type): boolean => holdsData(checker, part, beside, depth + 1);
  if (type.isUnion()) {
    const there = type.types.filter((member) => (member.flags & ts.TypeFlags.Undefined) === 0);
    return (beside === "object" && there.length > 1) || there.some(inside);
  }
  if (type.isIntersection()) return type.types.some(inside);
  if ((flags & ts.TypeFlags.Object) === 0) return true;
  if (type.getCallSignatures().length + type.getConstructSignatures().length > 0) return true;
  const parts = checker.getPropertiesOfType(type).map((property) => checker.getTypeOfSymbol(property));
  return parts.some(inside) || checker.getIndexInfosOfType(type).length > 0;
}
