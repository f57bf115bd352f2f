import { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";

/** A template literal type, or an intrinsic such as `Uppercase<string>`, as an anchored regular expression. */
export function readTemplate(checker: ts.TypeChecker, type: ts.Type): TypeModel {
  const body = partPattern(type);
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  return body === anything ? { kind: "string" } : { kind: "template", pattern: `^${body}$`, text };
}

const anything = "[\\s\\S]*";
/** What TypeScript takes for a number in a template: the text that the number itself would print. */
const number = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?";
const bigint = "(?:0|-?[1-9][0-9]*)";

function partPattern(type: ts.Type): string {
  if (type.flags & ts.TypeFlags.TemplateLiteral) {
    const { texts, types } = type as ts.TemplateLiteralType;
    return texts
      .map((text, index) => escapeRegex(text) + (types[index] === undefined ? "" : partPattern(types[index])))
      .join("");
  }
  if (type.flags & ts.TypeFlags.StringMapping) return mappingPattern(type as ts.StringMappingType);
  if (type.flags & ts.TypeFlags.Number) return number;
  if (type.flags & ts.TypeFlags.BigInt) return bigint;
  if (type.isUnion()) return `(?:${type.types.map(partPattern).join("|")})`;
  if (type.isStringLiteral() || type.isNumberLiteral()) return escapeRegex(String(type.value));
  if (type.isIntersection())
    return partPattern(type.types.find((member) => (member.flags & ts.TypeFlags.Object) === 0) ?? type);
  return anything;
}

/** `Uppercase<string>` holds texts that upper-casing leaves as they are. */
function mappingPattern(type: ts.StringMappingType): string {
  switch (type.symbol.name) {
    case "Uppercase":
      return "\\P{Changes_When_Uppercased}*";
    case "Lowercase":
      return "\\P{Changes_When_Lowercased}*";
    case "Capitalize":
      return `(?:\\P{Changes_When_Uppercased}${anything})?`;
    case "Uncapitalize":
      return `(?:\\P{Changes_When_Lowercased}${anything})?`;
    default:
      return anything;
  }
}

/** A text that a regular expression with flag `u` matches as it stands. */
function escapeRegex(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
