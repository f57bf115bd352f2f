import { formats } from "../../../runtime/contract/validation/formats/formats.ts";
import { isBase64, isBigIntText } from "../../../runtime/contract/validation/formats/text-formats.ts";
import { isDateTime } from "../../../runtime/contract/validation/formats/time-formats.ts";
import { isUri } from "../../../runtime/contract/validation/formats/uri-formats.ts";
import { isMultiple, isNumber, isObject, isUnique } from "../../../runtime/contract/validation/json-value.ts";
import { numberBounds } from "../../model/number-bounds.ts";
import type {
  BigIntType,
  JsonLiteral,
  NumberType,
  ObjectType,
  StringType,
  TupleType,
  TypeModel,
} from "../../model/type.ts";

type Definitions = ReadonlyMap<string, TypeModel>;

/**
 * True when a wire value is legal for a type: the check of defaults and examples at build time, by the rules of the
 * generated validator. Definitions that are not known yet accept everything.
 */
export function accepts(type: TypeModel, value: JsonLiteral, definitions: Definitions): boolean {
  switch (type.kind) {
    case "unknown":
      return true;
    case "never":
      return false;
    case "ref": {
      const target = definitions.get(type.name);
      return target === undefined || accepts(target, value, definitions);
    }
    case "union":
      return type.members.some((member) => accepts(member, value, definitions));
    case "boolean":
      return typeof value === "boolean";
    case "literal":
      return type.value === value;
    case "number":
      return isNumber(value) && acceptsNumber(type, value);
    case "array":
    case "set":
      return (
        isList(value) &&
        inRange(value.length, type.minItems, type.maxItems) &&
        value.every((item) => accepts(type.items, item, definitions)) &&
        ((type.kind === "array" && type.uniqueItems !== true) || isUnique(value))
      );
    case "tuple":
      return isList(value) && acceptsTuple(type, value, definitions);
    case "map":
      return isObject(value) && Object.values(value).every((item) => accepts(type.values, item, definitions));
    case "object":
      return isObject(value) && acceptsObject(type, value, definitions);
    default:
      return typeof value === "string" && acceptsText(type, value);
  }
}

/** True when a string is legal for a type whose wire form is a string. */
export function acceptsText(type: TypeModel, text: string): boolean {
  switch (type.kind) {
    case "literal":
      return type.value === text;
    case "string":
      return acceptsString(type, text);
    case "template":
      return new RegExp(type.pattern, "u").test(text);
    case "date":
      return isDateTime(text);
    case "url":
      return isUri(text);
    case "bigint":
      return isBigIntText(text) && acceptsBigInt(type, BigInt(text));
    case "bytes":
      return isBase64(text);
    default:
      return type.kind === "unknown";
  }
}

function acceptsBigInt({ minimum, maximum }: BigIntType, value: bigint): boolean {
  return (minimum === undefined || value >= BigInt(minimum)) && (maximum === undefined || value <= BigInt(maximum));
}

function acceptsString(type: StringType, text: string): boolean {
  const patterns = type.patterns ?? [];
  return (
    inRange([...text].length, type.minLength, type.maxLength) &&
    (type.format === undefined || formats[type.format]?.(text) === true) &&
    patterns.every((pattern) => new RegExp(pattern, "u").test(text))
  );
}

function acceptsNumber(type: NumberType, value: number): boolean {
  const { minimum, maximum } = numberBounds(type);
  if (type.integer !== undefined && !Number.isInteger(value)) return false;
  if (type.exclusiveMinimum !== undefined && value <= type.exclusiveMinimum) return false;
  if (type.exclusiveMaximum !== undefined && value >= type.exclusiveMaximum) return false;
  if (type.multipleOf !== undefined && !isMultiple(value, type.multipleOf)) return false;
  return inRange(value, minimum, maximum);
}

function acceptsTuple(type: TupleType, value: readonly JsonLiteral[], definitions: Definitions): boolean {
  const required = type.elements.filter((element) => element.optional !== true).length;
  if (value.length < required || (type.rest === undefined && value.length > type.elements.length)) return false;
  return value.every((item, index) => {
    const expected = type.elements[index]?.type ?? type.rest;
    return expected !== undefined && accepts(expected, item, definitions);
  });
}

function acceptsObject(
  type: ObjectType,
  value: Readonly<Record<string, JsonLiteral>>,
  definitions: Definitions,
): boolean {
  for (const field of type.fields) {
    if (!Object.hasOwn(value, field.key)) {
      if (field.optional !== true) return false;
      continue;
    }
    const inner = value[field.key];
    if (inner !== undefined && !accepts(field.type, inner, definitions)) return false;
  }
  const keys = new Set(type.fields.map((field) => field.key));
  if (type.urn !== undefined) keys.add("$schema");
  const { index, patterns = [] } = type;
  for (const [key, inner] of Object.entries(value)) {
    if (keys.has(key)) continue;
    const matching = patterns.filter(({ pattern }) => new RegExp(pattern, "u").test(key)).map((entry) => entry.type);
    const types = matching.length > 0 || index === undefined ? matching : [index];
    if (!types.every((other) => accepts(other, inner, definitions))) return false;
  }
  return type.urn === undefined || value["$schema"] === undefined || value["$schema"] === type.urn;
}

function inRange(value: number, low: number | undefined, high: number | undefined): boolean {
  return (low === undefined || value >= low) && (high === undefined || value <= high);
}

function isList(value: JsonLiteral): value is readonly JsonLiteral[] {
  return Array.isArray(value);
}
