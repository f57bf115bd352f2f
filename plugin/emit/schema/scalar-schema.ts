import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import { longestBigInt } from "../../../runtime/contract/validation/formats/text-formats.ts";
import type {
  BigIntType,
  BooleanType,
  CodecType,
  LiteralType,
  NumberType,
  StringType,
  TemplateType,
} from "../../model/type.ts";
import { integerPattern } from "../facts/integer-pattern.ts";
import { type SchemaContext, ofClass } from "./schema-context.ts";
import { numberBounds } from "../../model/number-bounds.ts";

/** Pattern of RFC 4648 base64 with padding; the length is a multiple of four. */
export const base64Pattern = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";
/** Pattern of an integer as text. Zero has no sign, so that each number has only one text. */
export const bigIntPattern = "^(?:0|-?[1-9][0-9]*)$";

type ScalarType = BooleanType | LiteralType | StringType | TemplateType | NumberType | CodecType | BigIntType;

/** The schema of a scalar type, without its texts. */
export function scalarSchema(type: ScalarType, context: SchemaContext): JsonSchema {
  switch (type.kind) {
    case "boolean":
      return { type: "boolean" };
    case "literal":
      return type.value === null ? { type: "null" } : { type: typeof type.value, const: type.value };
    case "string":
      return stringSchema(type);
    case "template":
      return { $comment: type.text, type: "string", pattern: type.pattern };
    case "number":
      return numberSchema(type);
    case "date":
      return { type: "string", format: "date-time", ...ofClass("Date", context) };
    case "url":
      return { type: "string", format: "uri", ...ofClass("URL", context) };
    case "bigint":
      return bigIntSchema(type, context);
    case "bytes":
      return { type: "string", pattern: base64Pattern, contentEncoding: "base64", ...ofClass("bytes", context) };
  }
}

function stringSchema(type: StringType): JsonSchema {
  const [pattern, ...others] = type.patterns ?? [];
  return {
    type: "string",
    ...(type.minLength !== undefined && { minLength: type.minLength }),
    ...(type.maxLength !== undefined && { maxLength: type.maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(others.length > 0 && { allOf: others.map((other) => ({ pattern: other })) }),
    ...(type.format !== undefined && { format: type.format }),
  };
}

function numberSchema(type: NumberType): JsonSchema {
  return {
    type: type.integer === undefined ? "number" : "integer",
    ...numberBounds(type),
    ...(type.exclusiveMinimum !== undefined && { exclusiveMinimum: type.exclusiveMinimum }),
    ...(type.exclusiveMaximum !== undefined && { exclusiveMaximum: type.exclusiveMaximum }),
    ...(type.multipleOf !== undefined && { multipleOf: type.multipleOf }),
  };
}

function bigIntSchema({ minimum, maximum }: BigIntType, context: SchemaContext): JsonSchema {
  const bounds = [minimum && ` from ${minimum}`, maximum && ` to ${maximum}`].filter(Boolean).join("");
  return {
    $comment: `integer as a string${bounds}`,
    type: "string",
    pattern: minimum === undefined && maximum === undefined ? bigIntPattern : integerPattern(minimum, maximum),
    maxLength: longestBigInt,
    ...ofClass("bigint", context),
  };
}
