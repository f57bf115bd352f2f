import { isObject } from "../../../runtime/contract/validation/json-value.ts";
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
 * True when a wire value is legal for a type: the check of defaults and examples at build time. Formats of plain
 * strings are left to the generated validator. Definitions that are not known yet accept everything.
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
      return typeof value === "number" && acceptsNumber(type, value);
    case "array":
    case "set":
      return (
        isList(value) &&
        inRange(value.length, type.minItems, type.maxItems) &&
        value.every((item) => accepts(type.items, item, definitions)) &&
        ((type.kind === "array" && type.uniqueItems !== true) ||
          new Set(value.map((item) => JSON.stringify(item))).size === value.length)
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
      return (
        /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
      );
    case "url":
      return URL.canParse(text);
    case "bigint":
      return /^(?:0|-?[1-9]\d*)$/.test(text) && acceptsBigInt(type, BigInt(text));
    case "bytes":
      return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
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
    patterns.every((pattern) => new RegExp(pattern, "u").test(text))
  );
}

/** Bounds of the sized integers. */
const integerBounds = {
  integer: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  uint64: [0, 2 ** 64],
} as const;

function acceptsNumber(type: NumberType, value: number): boolean {
  if (type.integer !== undefined) {
    const [low, high] = integerBounds[type.integer];
    if (!Number.isInteger(value) || value < low || value > high) return false;
  }
  if (type.exclusiveMinimum !== undefined && value <= type.exclusiveMinimum) return false;
  if (type.exclusiveMaximum !== undefined && value >= type.exclusiveMaximum) return false;
  if (type.float === true && Math.fround(value) !== value && Math.abs(value) > 3.4028234663852886e38) return false;
  const quotient = type.multipleOf === undefined ? 0 : value / type.multipleOf;
  return inRange(value, type.minimum, type.maximum) && Math.abs(quotient - Math.round(quotient)) < 1e-9;
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
  const keys = new Set([...type.fields.map((field) => field.key), "$schema"]);
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
