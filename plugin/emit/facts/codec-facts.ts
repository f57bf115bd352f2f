import { childTypes } from "../../model/child-types.ts";
import type { TypeModel, UnionType } from "../../model/type.ts";
import { createSearch, recursiveNames } from "./reach.ts";
import { findDiscriminator, flattenUnion, resolveType, type Definitions } from "./type-facts.ts";

const sameKinds: ReadonlySet<TypeModel["kind"]> = new Set([
  "unknown",
  "never",
  "boolean",
  "literal",
  "string",
  "template",
  "number",
]);

/** True when values of the type are the same on the wire and in the author's code, so that no conversion is needed. */
export function isSame(type: TypeModel, definitions: Definitions): boolean {
  const target = resolveType(type, definitions);
  if (target.kind === "union") return splitUnion(target, definitions).converted.length === 0;
  return sameKinds.has(target.kind);
}

const otherForms: ReadonlySet<TypeModel["kind"]> = new Set(["date", "url", "bigint", "bytes", "set", "map"]);

/** True when decoded values of the type are JSON. */
export function isJson(type: TypeModel, definitions: Definitions): boolean {
  const seen = new Set<string>();
  const visit = (part: TypeModel): boolean => {
    if (part.kind !== "ref") return !otherForms.has(part.kind) && childTypes(part).every(visit);
    if (seen.has(part.name)) return true;
    seen.add(part.name);
    return visit(resolveType(part, definitions));
  };
  return visit(type);
}

/**
 * Members of a union with nested unions flattened. References to other types stay, since such types may be recursive.
 */
export interface UnionParts {
  /** Members that need conversion, except objects. */
  readonly converted: readonly TypeModel[];
  readonly objects: readonly TypeModel[];
  /** Members whose values are the same on the wire and in author code. */
  readonly same: readonly TypeModel[];
}

/** Splits a union by the conversions of its members. */
export function splitUnion(type: UnionType, definitions: Definitions): UnionParts {
  const members = openUnion(type, definitions);
  const same = members.filter((member) => sameKinds.has(member.kind));
  // A union with `unknown` is not converted: `unknown` accepts everything, so nothing shows which conversion applies.
  if (same.some((member) => member.kind === "unknown")) return { converted: [], objects: [], same };
  const converted = members.filter((member) => !sameKinds.has(member.kind));
  return { converted, objects: converted.filter((member) => resolveType(member, definitions).kind === "object"), same };
}

/**
 * Returns arrays and tuples that contain objects, if there are several: a value may then be legal for more than one.
 */
export function listsOfObjects(members: readonly TypeModel[], definitions: Definitions): readonly TypeModel[] {
  const lists = members.filter((member) => {
    const target = resolveType(member, definitions);
    return (target.kind === "array" || target.kind === "tuple") && hasObject(target, definitions, new Set());
  });
  return lists.length > 1 ? lists : [];
}

function hasObject(type: TypeModel, definitions: Definitions, seen: Set<string>): boolean {
  if (type.kind === "ref") {
    if (seen.has(type.name)) return false;
    seen.add(type.name);
    return hasObject(resolveType(type, definitions), definitions, seen);
  }
  return type.kind === "object" || childTypes(type).some((child) => hasObject(child, definitions, seen));
}

/** Flattens the members of a union and follows references to scalars. */
export function openUnion(
  type: UnionType,
  definitions: Definitions,
  seen = new Set<TypeModel>(),
): readonly TypeModel[] {
  if (seen.has(type)) return [];
  seen.add(type);
  const members = flattenUnion(type.members).flatMap((member) => {
    const target = resolveType(member, definitions);
    if (target.kind === "union") return openUnion(target, definitions, seen);
    return [sameKinds.has(target.kind) ? target : member];
  });
  return flattenUnion(members);
}

/**
 * True when a named type refers to itself through a union whose members can be distinguished only by trying them.
 * Without a cache, each level of a value is then tried once per member, which multiplies with depth.
 */
export function needsMemory(name: string, definitions: Definitions): boolean {
  return recursiveNames(definitions).has(name) && hasAmbiguousUnion({ kind: "ref", name }, definitions);
}

const hasAmbiguousUnion = createSearch(
  (part, definitions) => part.kind === "union" && isAmbiguousUnion(part, definitions),
);

function isAmbiguousUnion(type: UnionType, definitions: Definitions): boolean {
  const members = openUnion(type, definitions);
  const kinds = members.map((member) => wireKind(resolveType(member, definitions)));
  const objects = members.filter((_, index) => kinds[index] === "object");
  return (
    kinds.filter((kind) => kind === "array").length > 1 ||
    (objects.length > 1 && findDiscriminator(objects, definitions, type.discriminator) === undefined)
  );
}

/** JSON type of a type's wire form; `undefined` when it has several. */
export function wireKind(type: TypeModel): "string" | "number" | "boolean" | "null" | "array" | "object" {
  switch (type.kind) {
    case "literal":
      return type.value === null ? "null" : (typeof type.value as "string" | "number" | "boolean");
    case "boolean":
    case "number":
      return type.kind;
    case "array":
    case "set":
    case "tuple":
      return "array";
    case "object":
    case "map":
      return "object";
    default:
      return "string";
  }
}
