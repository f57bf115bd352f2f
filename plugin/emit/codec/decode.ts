import type { ArrayType, FieldModel, MapType, ObjectType, SetType, TupleType, TypeModel } from "../../model/type.ts";
import { assignments } from "../text/assignments.ts";
import { codecName, convertedText, optionalArgument, type CodecWalk } from "./codec-walk.ts";
import { isJson, openUnion } from "../facts/codec-facts.ts";
import { sharedText } from "../text/data-text.ts";
import { innerEncoderName } from "./encode.ts";
import { jsonText, keyText } from "../text/js-text.ts";
import { otherKeysText } from "../validator/other-keys.ts";
import { readKey, type Scope } from "../text/scope.ts";
import { requiredElements, resolveType } from "../facts/type-facts.ts";
import { unionText, type Decoders } from "./union-decoder.ts";

/**
 * Returns the name of a function that decodes a legal wire value to the author's value: declared keys only, defaults
 * filled in, `Date` and the like created, every structure copied. `undefined` if values need no conversion.
 */
export function decoderName(type: TypeModel, scope: Scope): string | undefined {
  return codecName(type, scope, decoding);
}

const decoding: CodecWalk = {
  direction: "decode",
  bytes: ({ buffer }) => (buffer === true ? "decodeBuffer" : "decodeBytes"),
  list: listText,
  tuple: tupleText,
  object: objectText,
  union: (type, scope) => unionText(type, decodersOf(scope), scope),
};

/** Expression for the decoded form of the expression `value`. */
function decoded(type: TypeModel, value: string, scope: Scope): string {
  return convertedText(type, value, scope, decoding);
}

/** Returns the conversion of a list; if it uses its value only once, as an inline expression. */
function listText(type: ArrayType | SetType | MapType, value: string, scope: Scope): string {
  if (type.kind === "map")
    return `${scope.helper("decodeMap")}(${value}${optionalArgument(decoderName(type.values, scope))})`;
  const item = decoderName(type.items, scope);
  const isTested = item !== undefined && !scope.takesEqualItems && staysDistinct(type);
  const encoder = isTested && !isJson(type.items, scope.definitions) ? innerEncoderName(type.items, scope) : undefined;
  const list = isTested ? `${scope.helper("decodeDistinct")}(${value},${item}${optionalArgument(encoder)})` : value;
  if (type.kind === "set")
    return `${scope.helper("decodeSet")}(${list}${optionalArgument(isTested ? undefined : item)})`;
  if (isTested) return list;
  return item === undefined ? `${value}.slice()` : `${value}.map(${item})`;
}

/** True when merging equal items would change the list. The elements of a `Set` may be merged. */
function staysDistinct(type: ArrayType | SetType): boolean {
  return type.kind === "set" ? (type.minItems ?? 0) > 1 : type.uniqueItems === true;
}

function decodersOf(scope: Scope): Decoders {
  return {
    decoder: (type) => decoderName(type, scope),
    decoded: (type, value) => decoded(type, value, scope),
    field: (field, value) => fieldValue(field, scope, value),
  };
}

function objectText(whole: ObjectType, scope: Scope): string {
  // Keys that must be missing are left out, since no value has them.
  const type = { ...whole, fields: whole.fields.filter((field) => field.type.kind !== "never") };
  const urn = type.urn !== undefined && type.urnDeclared === true ? [`$schema:${sharedText(type.urn, scope)}`] : [];
  const leading = type.fields.findIndex((field) => field.optional === true && field.default === undefined);
  const split = leading < 0 ? type.fields.length : leading;
  const literal = `{${[...urn, ...type.fields.slice(0, split).map((field) => `${keyText(field.key)}:${fieldValue(field, scope)}`)].join()}}`;
  const others = otherKeysText(whole, (part) => decoderName(part, scope), scope);
  if (split === type.fields.length && others.length === 0) return `(${literal})`;
  const statements = assignments(type.fields.slice(split), scope, (field) => {
    const source = readKey("v", field.key, scope);
    const isThere = isTruthy(field.type, scope) ? source : `${source}!==void 0`;
    return {
      value: fieldValue(field, scope),
      ...(field.optional === true && field.default === undefined && { isThere }),
    };
  });
  return `{const o=${literal};${[...statements, ...others].join(";")};return o}`;
}

function fieldValue(field: FieldModel, scope: Scope, value = readKey("v", field.key, scope)): string {
  if (field.default === undefined) return decoded(field.type, value, scope);
  if (!mayBeNull(field.type, scope)) return decoded(field.type, `(${value}??${jsonText(field.default)})`, scope);
  return decoded(field.type, `(${value}===void 0?${jsonText(field.default)}:${value})`, scope);
}

function mayBeNull(type: TypeModel, scope: Scope): boolean {
  const target = resolveType(type, scope.definitions);
  if (target.kind === "union") return openUnion(target, scope.definitions).some((member) => mayBeNull(member, scope));
  return target.kind === "unknown" || (target.kind === "literal" && target.value === null);
}

/** True when every legal wire value of a type is truthy. */
function isTruthy(type: TypeModel, scope: Scope): boolean {
  return ["array", "set", "tuple", "object", "map", "date", "url", "bigint"].includes(
    resolveType(type, scope.definitions).kind,
  );
}

function tupleText(type: TupleType, scope: Scope): string {
  const required = requiredElements(type.elements);
  const elements = type.elements.map((element, index) => {
    const text = decoded(element.type, `v[${index}]`, scope);
    return index < required ? text : `...v.length>${index}?[${text}]:[]`;
  });
  if (type.rest !== undefined) {
    const rest = decoderName(type.rest, scope);
    const tail = type.elements.length === 0 ? "v" : `v.slice(${type.elements.length})`;
    elements.push(`...${tail}${rest === undefined ? "" : `.map(${rest})`}`);
  }
  return `[${elements.join()}]`;
}
