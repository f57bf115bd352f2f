import type {
  ArrayType,
  FieldModel,
  MapType,
  ObjectType,
  SetType,
  TupleType,
  TypeModel,
  UnionType,
} from "../model/type.ts";
import { assignments } from "./assignments.ts";
import { isJson, isSame, listsOfObjects, openUnion, splitUnion, wireKind } from "./codec-facts.ts";
import { sharedText } from "./data-text.ts";
import { innerEncoderName } from "./encode.ts";
import { joinedDecoder } from "./joined-codec.ts";
import { codecNeedsMemory, joinMembers } from "./joined-members.ts";
import { jsonText, keyText } from "./js-text.ts";
import { otherKeysText } from "./other-keys.ts";
import { remembered } from "./scope.ts";
import type { Scope } from "./scope.ts";
import { shapeKey } from "./shape-key.ts";
import { findDiscriminator, requiredElements, resolveType } from "./type-facts.ts";
import { readKey, testName } from "./validator.ts";

/**
 * Name of a function that turns a legal wire value into the author's value: declared keys only, defaults filled in,
 * `Date` and the like created, every structure copied. `undefined` when the value stays the same.
 */
export function decoderName(type: TypeModel, scope: Scope): string | undefined {
  const target = resolveType(type, scope.definitions);
  if (isSame(target, scope.definitions)) return undefined;
  if (type.kind === "ref" && codecNeedsMemory(type.name, scope.definitions, "decode")) {
    return remembered(
      `decode:${shapeKey(target)}`,
      `decode${scope.nameOf(type)}`,
      () => decoderName(target, scope),
      scope,
    );
  }
  switch (target.kind) {
    case "date":
      return scope.helper("decodeDate");
    case "url":
      return scope.helper("decodeUrl");
    case "bigint":
      return scope.helper("decodeBigInt");
    case "bytes":
      return scope.helper(target.buffer === true ? "decodeBuffer" : "decodeBytes");
    default:
      return scope.constant(
        `decode:${shapeKey(target)}`,
        `decode${scope.nameOf(type)}`,
        () => `v=>${structureText(target, scope)}`,
      );
  }
}

/** Expression for the decoded form of the expression `value`. */
function decoded(type: TypeModel, value: string, scope: Scope): string {
  if (type.kind === "array" || type.kind === "set" || type.kind === "map") return listText(type, value, scope);
  const name = decoderName(type, scope);
  return name === undefined ? value : `${name}(${value})`;
}

/** A conversion that uses its value once is written in place. */
function listText(type: ArrayType | SetType | MapType, value: string, scope: Scope): string {
  if (type.kind === "map")
    return `${scope.helper("decodeMap")}(${value}${optionalArgument(decoderName(type.values, scope))})`;
  const item = decoderName(type.items, scope);
  const isTested = item !== undefined && staysDistinct(type);
  const encoder = isTested && !isJson(type.items, scope.definitions) ? innerEncoderName(type.items, scope) : undefined;
  const list = isTested ? `${scope.helper("decodeDistinct")}(${value},${item}${optionalArgument(encoder)})` : value;
  if (type.kind === "set")
    return `${scope.helper("decodeSet")}(${list}${optionalArgument(isTested ? undefined : item)})`;
  if (isTested) return list;
  return item === undefined ? `${value}.slice()` : `${value}.map(${item})`;
}

/** True when fewer items, once equal ones fall together, would be another list. The elements of a `Set` may do so. */
function staysDistinct(type: ArrayType | SetType): boolean {
  return type.kind === "set" ? (type.minItems ?? 0) > 1 : type.uniqueItems === true;
}

function structureText(type: TypeModel, scope: Scope): string {
  switch (type.kind) {
    case "array":
    case "set":
    case "map":
      return listText(type, "v", scope);
    case "tuple":
      return tupleText(type, scope);
    case "object":
      return objectText(type, scope);
    case "union":
      return unionText(type, scope);
    default:
      return "v";
  }
}

function optionalArgument(name: string | undefined): string {
  return name === undefined ? "" : `,${name}`;
}

function objectText(whole: ObjectType, scope: Scope): string {
  // A key that must be missing is in no value.
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

function unionText(type: UnionType, scope: Scope): string {
  const { converted, objects, same } = splitUnion(type, scope.definitions);
  const lists = listsOfObjects(converted, scope.definitions);
  const alternatives = converted
    .filter((member) => !objects.includes(member) && !lists.includes(member))
    .map((member) => ({ kind: wireKind(resolveType(member, scope.definitions)), members: [member] }));
  if (lists.length > 0) alternatives.unshift({ kind: "array", members: [...lists] });
  if (objects.length > 0) alternatives.unshift({ kind: "object", members: [...objects] });
  const sameKinds = new Set(same.map(wireKind));
  let text = same.length > 0 ? "v" : "";
  for (const alternative of alternatives.toReversed()) {
    const conversion = objectsOrOne(alternative.members, type, scope);
    if (text === "") {
      text = conversion;
      continue;
    }
    const isAlone =
      !sameKinds.has(alternative.kind) &&
      alternatives.every((other) => other === alternative || other.kind !== alternative.kind);
    text = `${isAlone ? kindTest(alternative.kind, scope) : legalTest(alternative.members, scope)}?${conversion}:${text}`;
  }
  return text;
}

function kindTest(kind: string, scope: Scope): string {
  if (kind === "array") return `${scope.helper("isArray")}(v)`;
  return kind === "object" ? `${scope.helper("isObject")}(v)` : `typeof v=="${kind}"`;
}

function legalTest(members: readonly TypeModel[], scope: Scope): string {
  return `${testName(members.length === 1 && members[0] !== undefined ? members[0] : { kind: "union", members }, "input", scope)}(v)`;
}

/**
 * Objects are told apart by their discriminating field. Without one, as in lists, each member that accepts the value
 * adds its keys.
 */
function objectsOrOne(members: readonly TypeModel[], type: UnionType, scope: Scope): string {
  const [only, second] = members;
  if (only === undefined || second === undefined) return only === undefined ? "v" : decoded(only, "v", scope);
  const found = findDiscriminator(members, scope.definitions, type.discriminator);
  if (found !== undefined) {
    const name = scope.constant(
      `decode:${JSON.stringify(members.map(shapeKey))}`,
      `decode${scope.nameOf(type)}`,
      () => {
        const cases = members.map((member, index) => {
          const labels = (found.values[index] ?? []).map((literal) => `case ${jsonText(literal)}:`).join("");
          return `${labels}return ${decoded(member, "v", scope)}`;
        });
        return `v=>{switch(${readKey("v", found.key, scope)}){${cases.join(";")}}}`;
      },
    );
    return `${name}(v)`;
  }
  const joined = joinMembers(members, scope.definitions, "decode");
  if (joined !== undefined) {
    const convert = (field: FieldModel, value: string): string => fieldValue(field, scope, value);
    const key = `decode-joined:${JSON.stringify(members.map(shapeKey))}`;
    return `${scope.constant(key, `decode${scope.nameOf(type)}`, () => `v=>${joinedDecoder(joined, convert, scope)}`)}(v)`;
  }
  const pairs = scope.constant(
    `decode-members:${JSON.stringify(members.map(shapeKey))}`,
    `decodersOf${scope.nameOf(type)}`,
    () =>
      `[${members.map((member) => `[${testName(member, "input", scope)},${decoderName(member, scope) ?? "v=>v"}]`).join()}]`,
  );
  return `${scope.helper("decodeMembers")}(v,${pairs})`;
}
