import type { ArrayType, FieldModel, ObjectType, SetType, TupleType, TypeModel, UnionType } from "../../model/type.ts";
import { needsMemory } from "../facts/codec-facts.ts";
import { allOf } from "../text/all-of.ts";
import { sharedText } from "../text/data-text.ts";
import { otherKeysCheck, type Tests } from "./other-keys.ts";
import { readKey, remembered, type Scope } from "../text/scope.ts";
import { scalarCheck } from "./scalar-check.ts";
import { shapeKey } from "../facts/shape-key.ts";
import {
  acceptsAll,
  flattenUnion,
  hasUrn,
  isOptional,
  requiredElements,
  resolveType,
  type Definitions,
  type Direction,
} from "../facts/type-facts.ts";
import { unionCheck, type Checks } from "./union-check.ts";

/**
 * Name of a function `(wire) => boolean` that accepts exactly the values that the full schema of the type accepts;
 * `undefined` when every value is legal. The functions are constants of the scope: a call creates no closures and no
 * garbage.
 */
export function validatorName(type: TypeModel, direction: Direction, scope: Scope): string | undefined {
  const target = resolveType(type, scope.definitions);
  const text = check(target, "v", direction, scope);
  if (text === "") return undefined;
  if (text === 'typeof v=="string"') return scope.helper("isText");
  // If the test is just a call with the same argument, the called function itself is used instead of a wrapper.
  return (
    /^(\w+)\(v\)$/.exec(text)?.[1] ??
    scope.constant(checkKey(target, direction, scope), checkName(type, scope), () => `v=>${text}`)
  );
}

/** Returns the name of a test function for any type. For a type without checks, the function accepts everything. */
export function testName(type: TypeModel, direction: Direction, scope: Scope): string {
  return validatorName(type, direction, scope) ?? scope.constant("true", "isAnything", () => "()=>!0");
}

/** Returns the key of a check. Requests and results share a check if the type does not contain `$schema`. */
function checkKey(type: TypeModel, direction: Direction, scope: Scope): string {
  return `is:${hasUrn(type, scope.definitions) ? direction : ""}:${shapeKey(type)}`;
}

function checkName(type: TypeModel, scope: Scope): string {
  return `is${scope.nameOf(type)}`;
}

/** Makes the test of a wire value; empty when every value is legal. `value`: expression for the wire value. */
function check(type: TypeModel, value: string, direction: Direction, scope: Scope): string {
  if (acceptsAll(type, scope.definitions)) return "";
  const shared = (make: () => string): string =>
    `${scope.constant(checkKey(type, direction, scope), checkName(type, scope), make)}(${value})`;
  switch (type.kind) {
    case "ref": {
      const target = resolveType(type, scope.definitions);
      if (needsMemory(type.name, scope.definitions)) {
        return `${remembered(checkKey(target, direction, scope), checkName(type, scope), () => testName(target, direction, scope), scope)}(${value})`;
      }
      return target.kind === "union"
        ? namedUnionCheck(target, value, direction, scope)
        : check(target, value, direction, scope);
    }
    case "array":
    case "set":
      return shared(() => `v=>${arrayCheck(type, direction, scope)}`);
    case "map":
      return shared(
        () =>
          `v=>${[`${scope.helper("isObject")}(v)`, ...otherKeysCheck({ kind: "object", fields: [], index: type.values }, testsOf(direction, scope), scope)].join("&&")}`,
      );
    case "tuple":
      return shared(() => `v=>${tupleCheck(type, direction, scope)}`);
    case "object":
      return shared(() => `v=>${objectCheck(type, direction, scope)}`);
    case "union":
      return unionCheck(type, value, checksOf(direction, scope), scope);
    default:
      return scalarCheck(type, value, scope) ?? "";
  }
}

/** A named union gets a function of its own, as it may be recursive. */
function namedUnionCheck(target: UnionType, value: string, direction: Direction, scope: Scope): string {
  return `${scope.constant(checkKey(target, direction, scope), checkName(target, scope), () => `v=>${check(target, "v", direction, scope)}`)}(${value})`;
}

function testsOf(direction: Direction, scope: Scope): Tests {
  return {
    validator: (type) => validatorName(type, direction, scope),
    test: (type) => testName(type, direction, scope),
  };
}

function checksOf(direction: Direction, scope: Scope): Checks {
  return {
    check: (type, value) => check(type, value, direction, scope),
    key: (type) => checkKey(type, direction, scope),
    name: (type) => checkName(type, scope),
  };
}

function objectCheck(type: ObjectType, direction: Direction, scope: Scope): string {
  const cheap = [`${scope.helper("isObject")}(v)`];
  const costly: string[] = [];
  if (type.urn !== undefined)
    cheap.push(`${direction === "input" ? "(v.$schema===void 0||" : "("}v.$schema===${sharedText(type.urn, scope)})`);
  for (const field of type.fields) {
    const text = fieldCheck(field, readKey("v", field.key, scope), direction, scope);
    // Scalars are checked first: their cheap checks stop most wrong values and wrong union members.
    if (text !== "") (hasParts(field.type) ? costly : cheap).push(text);
  }
  return allOf([...cheap, ...costly, ...otherKeysCheck(type, testsOf(direction, scope), scope)]);
}

function hasParts(type: TypeModel): boolean {
  if (type.kind === "union") return type.members.some(hasParts);
  return ["array", "set", "map", "tuple", "object", "ref"].includes(type.kind);
}

/** Makes the test of a field's value, which is `undefined` if the key is missing; empty when every value is legal. */
export function fieldCheck(field: FieldModel, value: string, direction: Direction, scope: Scope): string {
  if (field.type.kind === "never") return `${value}===void 0`;
  const rest = isOptional(field) ? withoutNull(field.type, scope.definitions) : undefined;
  // A missing key and `null` are tested with one comparison.
  if (rest !== undefined) return `(${value}==null||${check(rest, value, direction, scope)})`;
  const text = check(field.type, value, direction, scope);
  if (!isOptional(field)) return text === "" ? `${value}!==void 0` : inAnd(text, field.type, scope);
  return text === "" ? "" : `(${value}===void 0||${text})`;
}

/** The rest of a union of `null` and other types; undefined when it contains `unknown`. */
function withoutNull(type: TypeModel, definitions: Definitions): TypeModel | undefined {
  if (type.kind !== "union") return undefined;
  const all = flattenUnion(type.members);
  const members = all.filter((member) => member.kind !== "literal" || member.value !== null);
  const isSplit = members.length > 0 && members.length < all.length && !acceptsAll(type, definitions);
  return isSplit ? { ...type, members } : undefined;
}

/** Adds brackets to alternatives joined by `||`, which need them between `&&`. */
function inAnd(text: string, type: TypeModel, scope: Scope): string {
  return resolveType(type, scope.definitions).kind === "union" ? `(${text})` : text;
}

function arrayCheck(type: ArrayType | SetType, direction: Direction, scope: Scope): string {
  const tests = [`${scope.helper("isArray")}(v)`];
  if (type.minItems !== undefined && type.minItems > 0) tests.push(`v.length>=${type.minItems}`);
  if (type.maxItems !== undefined) tests.push(`v.length<=${type.maxItems}`);
  const item = validatorName(type.items, direction, scope);
  if (item !== undefined) tests.push(`v.every(${item})`);
  if (type.kind === "set" || type.uniqueItems === true) tests.push(`${scope.helper("isUnique")}(v)`);
  return tests.join("&&");
}

function tupleCheck(type: TupleType, direction: Direction, scope: Scope): string {
  const tests = [`${scope.helper("isArray")}(v)`];
  const required = requiredElements(type.elements);
  const { length } = type.elements;
  if (type.rest === undefined) tests.push(required === length ? `v.length===${length}` : `v.length<=${length}`);
  if (required > 0 && (type.rest !== undefined || required < length)) tests.push(`v.length>=${required}`);
  for (const [index, element] of type.elements.entries()) {
    const text = check(element.type, `v[${index}]`, direction, scope);
    if (text === "") continue;
    tests.push(index < required ? inAnd(text, element.type, scope) : `(v.length<=${index}||${text})`);
  }
  const rest = type.rest === undefined ? undefined : validatorName(type.rest, direction, scope);
  if (rest !== undefined) tests.push(`${scope.helper("everyFrom")}(v,${length},${rest})`);
  return allOf(tests);
}
