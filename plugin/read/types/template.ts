import { ts } from "ts-morph";
import type { TypeModel } from "../../model/type.ts";
import { checkPatterns } from "../constraints/unsafe-pattern.ts";
import { templatePattern, type TemplatePart } from "./template-pattern.ts";
import type { Site, TypeContext } from "../base/type-context.ts";

/** Reads a template literal type, or an intrinsic such as `Uppercase<string>`, as an anchored regular expression. */
export function readTemplate({ reading }: TypeContext, type: ts.Type, site: Site): TypeModel {
  const parts = partsOf(type).filter((part) => part.kind !== "text" || part.text !== "");
  if (parts.length > 0 && parts.every((part) => part.kind === "any")) return { kind: "string" };
  const text = reading.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  const { pattern, linear } = templatePattern(parts);
  const model: TypeModel = { kind: "template", pattern, text };
  if (!linear) checkPatterns(reading, model, site);
  return model;
}

function partsOf(type: ts.Type): readonly TemplatePart[] {
  if (type.flags & ts.TypeFlags.TemplateLiteral) {
    const { texts, types } = type as ts.TemplateLiteralType;
    return texts.flatMap((text, index): readonly TemplatePart[] => {
      const next = types[index];
      return [{ kind: "text", text }, ...(next === undefined ? [] : partsOf(next))];
    });
  }
  if (type.flags & ts.TypeFlags.StringMapping) return [mappingPart(type as ts.StringMappingType)];
  if (type.flags & ts.TypeFlags.Number) return [{ kind: "numeric" }];
  if (type.flags & ts.TypeFlags.BigInt) return [{ kind: "bigint" }];
  if (type.isUnion()) {
    const members = type.types.map((member) => templatePattern(partsOf(member)).pattern.slice(1, -1));
    return [{ kind: "other", pattern: `(?:${members.join("|")})`, empty: false }];
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) return [{ kind: "text", text: String(type.value) }];
  if (type.isIntersection())
    return partsOf(type.types.find((member) => (member.flags & ts.TypeFlags.Object) === 0) ?? type);
  return [{ kind: "any" }];
}

/** Makes the pattern of `Uppercase<string>` and the like: texts that upper-casing does not change. */
function mappingPart(type: ts.StringMappingType): TemplatePart {
  const other = (pattern: string): TemplatePart => ({ kind: "other", pattern, empty: true });
  switch (type.symbol.name) {
    case "Uppercase":
      return other("\\P{Changes_When_Uppercased}*");
    case "Lowercase":
      return other("\\P{Changes_When_Lowercased}*");
    case "Capitalize":
      return other("(?:\\P{Changes_When_Uppercased}[\\s\\S]*)?");
    case "Uncapitalize":
      return other("(?:\\P{Changes_When_Lowercased}[\\s\\S]*)?");
    default:
      return { kind: "any" };
  }
}
