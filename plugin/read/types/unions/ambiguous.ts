import type { KeyPattern, ObjectType, TypeModel } from "../../../model/type.ts";
import { acceptsText } from "../../constraints/accepts.ts";
import { objectOf } from "./make-union.ts";

type Definitions = ReadonlyMap<string, TypeModel>;

/**
 * Pairs that were already compared, by the numbers of their models. Equal models share a number, and are printed once.
 */
interface Compared {
  readonly pairs: Set<string>;
  readonly numbers: WeakMap<TypeModel, number>;
  readonly texts: Map<string, number>;
}

/**
 * Creates a comparison of the unions of one tool. Pairs that are known to be distinguishable are compared only once.
 */
export function createAmbiguity(
  definitions: Definitions,
): (members: readonly TypeModel[]) => readonly [TypeModel, TypeModel] | undefined {
  let compared: Compared = { pairs: new Set(), numbers: new WeakMap(), texts: new Map() };
  return (members) => {
    const pair = ambiguousPair(members, definitions, compared);
    // The compared pairs are forgotten: they count as distinguishable, but the ambiguous pair may be among them.
    if (pair !== undefined) compared = { ...compared, pairs: new Set() };
    return pair;
  };
}

function numberOf(type: TypeModel, { numbers, texts }: Compared): number {
  const known = numbers.get(type);
  if (known !== undefined) return known;
  const text = JSON.stringify(type);
  const number = texts.get(text) ?? texts.size;
  texts.set(text, number);
  numbers.set(type, number);
  return number;
}

/** Finds the first two members of a union that JSON cannot distinguish although they are decoded differently. */
function ambiguousPair(
  members: readonly TypeModel[],
  definitions: Definitions,
  seen: Compared,
): readonly [TypeModel, TypeModel] | undefined {
  if (isDiscriminated(members, definitions)) return undefined;
  // Pairs of two literals are skipped: they are always distinguishable, and a union may have thousands of literals.
  const others = members.flatMap((member, index) => (member.kind === "literal" ? [] : [{ member, index }]));
  for (const [index, a] of members.entries()) {
    const later =
      a.kind === "literal"
        ? others.filter((one) => one.index > index).map(({ member }) => member)
        : members.slice(index + 1);
    for (const b of later) if (clash(a, b, definitions, seen)) return [a, b];
  }
  return undefined;
}

/** True when all members are objects with another literal in the same required field, so that no pair is compared. */
function isDiscriminated(members: readonly TypeModel[], definitions: Definitions): boolean {
  const literalsOf = (member: TypeModel): ReadonlyMap<string, unknown> => {
    const object = resolve(member, definitions);
    const fields = object?.kind === "object" ? object.fields : [];
    return new Map(
      fields.flatMap(({ key, optional, type }) =>
        type.kind === "literal" && optional !== true ? [[key, type.value] as const] : [],
      ),
    );
  };
  const all = members.map(literalsOf);
  return [...(all[0]?.keys() ?? [])].some(
    (key) => new Set(all.flatMap((one) => (one.has(key) ? [one.get(key)] : []))).size === members.length,
  );
}

/** True when a wire value is legal for both types and has another meaning in each. */
function clash(a: TypeModel, b: TypeModel, definitions: Definitions, seen: Compared): boolean {
  const key = `${numberOf(a, seen)} ${numberOf(b, seen)}`;
  if (seen.pairs.has(key)) return false;
  seen.pairs.add(key);
  const [left, right] = [resolve(a, definitions), resolve(b, definitions)];
  if (left === undefined || right === undefined || numberOf(left, seen) === numberOf(right, seen)) return false;
  if (left.kind === "union") return left.members.some((member) => clash(member, right, definitions, seen));
  if (right.kind === "union") return right.members.some((member) => clash(left, member, definitions, seen));
  if (left.kind === "unknown" || right.kind === "unknown")
    return hasCodec(left, definitions) || hasCodec(right, definitions);
  const form = wireForm(left);
  if (form !== wireForm(right)) return false;
  if (form === "string") return stringsClash(left, right);
  if (form === "array") return arraysClash(left, right, definitions, seen);
  if (form === "object") return objectsClash(left, right, definitions, seen);
  return false;
}

type WireForm = "string" | "number" | "boolean" | "null" | "array" | "object" | "any";

function wireForm(type: TypeModel): WireForm {
  switch (type.kind) {
    case "string":
    case "template":
    case "date":
    case "url":
    case "bigint":
    case "bytes":
      return "string";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "literal":
      return type.value === null ? "null" : (typeof type.value as "string" | "number" | "boolean");
    case "array":
    case "tuple":
    case "set":
      return "array";
    case "object":
    case "map":
      return "object";
    default:
      return "any";
  }
}

function stringsClash(a: TypeModel, b: TypeModel): boolean {
  if (!isCodec(a) && !isCodec(b)) return false;
  if (a.kind === "literal") return acceptsText(b, String(a.value));
  if (b.kind === "literal") return acceptsText(a, String(b.value));
  return true;
}

function arraysClash(a: TypeModel, b: TypeModel, definitions: Definitions, seen: Compared): boolean {
  if (a.kind === "set" || b.kind === "set") return true;
  const [left, right] = [itemsOf(a), itemsOf(b)];
  return left.some((x) => right.some((y) => clash(x, y, definitions, seen)));
}

function itemsOf(type: TypeModel): readonly TypeModel[] {
  if (type.kind === "array") return [type.items];
  if (type.kind === "tuple")
    return [...type.elements.map((element) => element.type), ...(type.rest === undefined ? [] : [type.rest])];
  return [];
}

function objectsClash(a: TypeModel, b: TypeModel, definitions: Definitions, seen: Compared): boolean {
  const [left, right] = [asObject(a), asObject(b)];
  if (left === undefined || right === undefined) return false;
  const shared = left.fields.flatMap((field) => {
    const other = right.fields.find((candidate) => candidate.key === field.key);
    return other === undefined ? [] : [[field, other] as const];
  });
  if (shared.some(([x, y]) => x.optional !== true && y.optional !== true && disjoint(x.type, y.type, definitions)))
    return false;
  if (left.urn !== undefined && right.urn !== undefined && left.urn !== right.urn) return false;
  if (a.kind === "map" || b.kind === "map") return true;
  if (shared.some(([x, y]) => clash(x.type, y.type, definitions, seen))) return true;
  const against = (object: ObjectType, keys: OtherKeys): boolean =>
    object.fields.some((field) => takesKey(keys, field.key) && clash(field.type, keys.type, definitions, seen));
  const [leftKeys, rightKeys] = [otherKeys(left), otherKeys(right)];
  if (rightKeys.some((keys) => against(left, keys)) || leftKeys.some((keys) => against(right, keys))) return true;
  return leftKeys.some((x) => rightKeys.some((y) => mayMeet(x, y) && clash(x.type, y.type, definitions, seen)));
}

/** Keys of an index signature: keys that match a pattern, or all. */
type OtherKeys = Partial<KeyPattern> & Pick<KeyPattern, "type">;

function otherKeys(object: ObjectType): readonly OtherKeys[] {
  return [...(object.patterns ?? []), ...(object.index === undefined ? [] : [{ type: object.index }])];
}

function takesKey({ pattern }: OtherKeys, key: string): boolean {
  return pattern === undefined || new RegExp(pattern, "u").test(key);
}

/** True when a key may match both patterns. Only templates with different beginnings are known to share no key. */
function mayMeet(a: OtherKeys, b: OtherKeys): boolean {
  const [left, right] = [a, b].map(({ text = "" }) => /^`((?:[^`$\\]|\$(?!\{))*)/.exec(text)?.[1] ?? "");
  return left === undefined || right === undefined || left.startsWith(right) || right.startsWith(left);
}

/** True when no wire value is legal for both; false when in doubt. */
function disjoint(a: TypeModel, b: TypeModel, definitions: Definitions): boolean {
  const [left, right] = [resolve(a, definitions), resolve(b, definitions)];
  if (left === undefined || right === undefined) return false;
  if (left.kind === "union") return left.members.every((member) => disjoint(member, right, definitions));
  if (right.kind === "union") return right.members.every((member) => disjoint(left, member, definitions));
  if (left.kind === "unknown" || right.kind === "unknown") return false;
  if (left.kind === "literal" && right.kind === "literal") return left.value !== right.value;
  if (left.kind === "literal" && typeof left.value === "string") return !acceptsText(right, left.value);
  if (right.kind === "literal" && typeof right.value === "string") return !acceptsText(left, right.value);
  return wireForm(left) !== wireForm(right);
}

function asObject(type: TypeModel): ObjectType | undefined {
  if (type.kind === "map") return { kind: "object", fields: [], index: type.values };
  return type.kind === "object" ? type : undefined;
}

function isCodec(type: TypeModel): boolean {
  return ["date", "url", "bigint", "bytes", "set", "map"].includes(type.kind);
}

function hasCodec(type: TypeModel, definitions: Definitions, seen = new Set<string>()): boolean {
  if (isCodec(type)) return true;
  if (type.kind === "ref") {
    const target = definitions.get(type.name);
    if (seen.has(type.name) || target === undefined) return false;
    seen.add(type.name);
    return hasCodec(target, definitions, seen);
  }
  const object = objectOf(type, definitions);
  const inner =
    object === undefined ? itemsOf(type) : [...object.fields, ...otherKeys(object)].map((part) => part.type);
  return (type.kind === "union" ? type.members : inner).some((member) => hasCodec(member, definitions, seen));
}

function resolve(type: TypeModel, definitions: Definitions): TypeModel | undefined {
  return type.kind === "ref" ? definitions.get(type.name) : type;
}
