import type { TypeModel, UnionType } from "../model/type.ts";
import { flattenUnion, resolveType } from "./type-facts.ts";
import type { Definitions } from "./type-facts.ts";

/** Whether a value of the type is the same on the wire and in the author's code, so that there is nothing to convert. */
export function isSame(type: TypeModel, definitions: Definitions): boolean {
  const target = resolveType(type, definitions);
  if (target.kind === "union") return splitUnion(target, definitions).converted.length === 0;
  return ["unknown", "boolean", "literal", "string", "template", "number"].includes(target.kind);
}

/** The members of a union, references followed and unions opened. */
export interface UnionParts {
  /** What needs conversion, objects aside. */
  readonly converted: readonly TypeModel[];
  readonly objects: readonly TypeModel[];
  /** What is the same on both sides. */
  readonly same: readonly TypeModel[];
}

export function splitUnion(type: UnionType, definitions: Definitions): UnionParts {
  const members = openUnion(type, definitions);
  const same = members.filter((member) => ["unknown", "boolean", "literal", "string", "template", "number"].includes(member.kind));
  // `unknown` takes in everything: nothing says what to convert.
  if (same.some((member) => member.kind === "unknown")) return { converted: [], objects: [], same };
  const converted = members.filter((member) => !same.includes(member));
  return { converted, objects: converted.filter((member) => member.kind === "object"), same };
}

/** The members of a union with references followed and unions in it opened. */
export function openUnion(type: UnionType, definitions: Definitions, seen = new Set<TypeModel>()): readonly TypeModel[] {
  if (seen.has(type)) return [];
  seen.add(type);
  const members = flattenUnion(type.members).map((member) => resolveType(member, definitions));
  return flattenUnion([...new Set(members.flatMap((member) => (member.kind === "union" ? openUnion(member, definitions, seen) : [member])))] );
}

/** JSON type of a type's wire form; `undefined` when it is not one alone. */
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
