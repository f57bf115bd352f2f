import type {
  ArrayType,
  FieldModel,
  MapType,
  ObjectType,
  SetType,
  TupleType,
  TypeModel,
  UnionType,
} from "../../model/type.ts";
import { assignments } from "../text/assignments.ts";
import { codecName, convertedText, optionalArgument, type CodecWalk } from "./codec-walk.ts";
import { listsOfObjects, splitUnion } from "../facts/codec-facts.ts";
import { sharedText } from "../text/data-text.ts";
import { joinedEncoder } from "./joined-codec.ts";
import { joinMembers } from "../facts/joined-members.ts";
import { jsonText, keyText } from "../text/js-text.ts";
import { otherKeysText } from "../validator/other-keys.ts";
import { readKey, type Scope } from "../text/scope.ts";
import { shapeKey } from "../facts/shape-key.ts";
import { findDiscriminator, isOptional, isRecursive, requiredElements, resolveType } from "../facts/type-facts.ts";
import { testName } from "../validator/validator.ts";

/**
 * Returns the name of a function that encodes the author's value: `$schema` first, declared fields only, nothing
 * `undefined`. The function takes any value. For a value that cannot be encoded, it returns a value that the result's
 * validator refuses. `undefined` if values need no encoding.
 */
export function encoderName(type: TypeModel, scope: Scope): string | undefined {
  const name = innerEncoderName(type, scope);
  if (name === undefined || !isRecursive(type, scope.definitions)) return name;
  return scope.constant(
    `encode-root:${shapeKey(type)}`,
    `encodeWhole${scope.nameOf(type)}`,
    () => `v=>${scope.helper("encodeRecursive")}(${name},v)`,
  );
}

/**
 * Returns the name of the encoder for a part of a type. It does not check for values that contain themselves, since the
 * encoder of the whole type does.
 */
export function innerEncoderName(type: TypeModel, scope: Scope): string | undefined {
  return codecName(type, scope, encoding);
}

const encoding: CodecWalk = {
  direction: "encode",
  bytes: () => "encodeBytes",
  list: listText,
  tuple: tupleText,
  object: objectText,
  union: unionText,
};

function encoded(type: TypeModel, value: string, scope: Scope): string {
  return convertedText(type, value, scope, encoding);
}

function listText(type: ArrayType | SetType | MapType, value: string, scope: Scope): string {
  const helper = type.kind === "array" ? "encodeArray" : type.kind === "set" ? "encodeSet" : "encodeMap";
  return `${scope.helper(helper)}(${value}${optionalArgument(innerEncoderName(type.kind === "map" ? type.values : type.items, scope))})`;
}

function objectText(whole: ObjectType, scope: Scope): string {
  // Keys that must be missing are left out, since no value has them.
  const type = { ...whole, fields: whole.fields.filter((field) => field.type.kind !== "never") };
  const urn = type.urn === undefined ? [] : [`$schema:${sharedText(type.urn, scope)}`];
  const firstOptional = type.fields.findIndex(isOptional);
  const split = firstOptional < 0 ? type.fields.length : firstOptional;
  const value = (key: string, of: TypeModel): string => encoded(of, readKey("v", key, scope), scope);
  const literal = `{${[...urn, ...type.fields.slice(0, split).map((field) => `${keyText(field.key)}:${value(field.key, field.type)}`)].join()}}`;
  const refused = `${scope.helper("refuseObject")}(v)`;
  const others = otherKeysText(whole, (part) => innerEncoderName(part, scope), scope);
  if (split === type.fields.length && others.length === 0) return `${refused}||${literal}`;
  const statements = assignments(type.fields.slice(split), scope, (field) => ({
    value: value(field.key, field.type),
    ...(isOptional(field) && { isThere: `${readKey("v", field.key, scope)}!==void 0` }),
  }));
  return `{const x=${refused};if(x)return x;const o=${literal};${[...statements, ...others].join(";")};return o}`;
}

function tupleText(type: TupleType, scope: Scope): string {
  const { length } = type.elements;
  const elements = type.elements.map((element, index) => encoded(element.type, `v[${index}]`, scope));
  const rest = type.rest === undefined ? undefined : innerEncoderName(type.rest, scope);
  // Elements after the last one are retained, so that a tuple that is too long is refused and not cut.
  elements.push(`...v.slice(${length})${rest === undefined ? "" : `.map(v=>${rest}(v))`}`);
  return `${scope.helper("isArray")}(v)?${scope.helper("trimTuple")}([${elements.join()}],${requiredElements(type.elements)},v):v`;
}

function unionText(type: UnionType, scope: Scope): string {
  const { converted, objects } = splitUnion(type, scope.definitions);
  const kindOf = (member: TypeModel): TypeModel["kind"] => resolveType(member, scope.definitions).kind;
  const bigints = converted.filter((member) => kindOf(member) === "bigint");
  const arrays = converted.filter((member) => kindOf(member) === "array" || kindOf(member) === "tuple");
  const lists = listsOfObjects(arrays, scope.definitions);
  const others = converted.filter((member) => !["bigint", "array", "tuple", "object"].includes(kindOf(member)));
  const groups = [...others.map((member) => [member]), ...(objects.length > 0 ? [objects] : [])];
  let text = "v";
  if (groups.length === 1) text = `typeof v=="object"&&v!==null?${groupText(groups[0] ?? [], type, scope)}:v`;
  // A value of a class that JSON lacks is encoded by each member in turn: it belongs to the first member whose encoding
  // of it is legal.
  else if (groups.length > 1) text = `typeof v=="object"&&v!==null?${firstText(groups, type, scope)}:v`;
  if (arrays.length > 0) {
    const others = arrays.filter((member) => !lists.includes(member)).map((member) => [member]);
    const kinds = lists.length > 0 ? [lists, ...others] : others;
    const conversion = kinds.length === 1 ? groupText(kinds[0] ?? [], type, scope) : firstText(kinds, type, scope);
    text = `${scope.helper("isArray")}(v)?${conversion}:${text}`;
  }
  return bigints.length > 0 ? `typeof v=="bigint"?${scope.helper("encodeBigInt")}(v):${text}` : text;
}

function firstText(groups: readonly (readonly TypeModel[])[], type: UnionType, scope: Scope): string {
  const pairs = scope.constant(
    `encode-first:${JSON.stringify(groups.map((group) => group.map(shapeKey)))}`,
    `encodersOf${scope.nameOf(type)}`,
    () => `[${groups.map((group) => `[${groupTest(group, scope)},v=>${groupText(group, type, scope)}]`).join()}]`,
  );
  return `${scope.helper("encodeFirst")}(v,${pairs})`;
}

function groupTest(group: readonly TypeModel[], scope: Scope): string {
  const [only] = group;
  return testName(group.length === 1 && only !== undefined ? only : { kind: "union", members: group }, "output", scope);
}

/**
 * Returns the encoding of one member, or of a group of objects. A discriminating field of the group selects the member.
 * Without such a field, the result has the keys of every member whose encoding of the value is legal.
 */
function groupText(group: readonly TypeModel[], type: UnionType, scope: Scope): string {
  const [only, second] = group;
  if (only === undefined || second === undefined) return only === undefined ? "v" : encoded(only, "v", scope);
  const found = findDiscriminator(group, scope.definitions, type.discriminator);
  if (found !== undefined) {
    const name = scope.constant(`encode:${JSON.stringify(group.map(shapeKey))}`, `encode${scope.nameOf(type)}`, () => {
      const cases = group.map((member, index) => {
        const labels = (found.values[index] ?? []).map((literal) => `case ${jsonText(literal)}:`).join("");
        return `${labels}return ${encoded(member, "v", scope)}`;
      });
      return `v=>{switch(${readKey("v", found.key, scope)}){${cases.join(";")}}return v}`;
    });
    return `${name}(v)`;
  }
  const joined = joinMembers(group, scope.definitions, "encode");
  if (joined !== undefined) {
    const convert = (field: FieldModel, value: string): string => encoded(field.type, value, scope);
    const key = `encode-joined:${JSON.stringify(group.map(shapeKey))}`;
    const make = (): string => `v=>${joinedEncoder(joined, convert, encoded(only, "v", scope), scope)}`;
    return `${scope.constant(key, `encode${scope.nameOf(type)}`, make)}(v)`;
  }
  const pairs = scope.constant(
    `encode-members:${JSON.stringify(group.map(shapeKey))}`,
    `encodersOf${scope.nameOf(type)}`,
    () =>
      `[${group.map((member) => `[${testName(member, "output", scope)},${innerEncoderName(member, scope) ?? "v=>v"}]`).join()}]`,
  );
  return `${scope.helper("encodeMembers")}(v,${pairs})`;
}
