import { childTypes } from "../../model/child-types.ts";
import { escapeRegex } from "../../model/escape-regex.ts";
import type { FieldModel, KeyPattern, LiteralType, ObjectType, TypeModel } from "../../model/type.ts";
import { createSearch, type Definitions, resolveType } from "./reach.ts";
import { shapeKey } from "./shape-key.ts";

export { type Definitions, resolveType };

/** Results always have `$schema`; requests may have it. */
export type Direction = "input" | "output";

/**
 * Returns the root type of a request or result: a reference is followed, and the type gets its URN and the texts of the
 * reference, such as that of `@returns`.
 */
export function rootType(type: TypeModel, urn: string | undefined, definitions: Definitions): TypeModel {
  const resolved = resolveType(type, definitions);
  const { kind: _kind, name: _name, ...texts } = type.kind === "ref" ? type : { kind: "ref", name: "" };
  const target = Object.keys(texts).length === 0 ? resolved : { ...resolved, ...texts };
  return target.kind === "object" && urn !== undefined ? { ...target, urn } : target;
}

/** Flattens nested unions and removes repeated members. References to unions stay references. */
export function flattenUnion(members: readonly TypeModel[]): readonly TypeModel[] {
  const flat = members.flatMap((member) => (member.kind === "union" ? flattenUnion(member.members) : [member]));
  const seen = new Set<string>();
  return flat.filter((member) => {
    const key = shapeKey(member);
    return !seen.has(key) && seen.add(key);
  });
}

/** A key that has a different literal in each member of a union, and the literals of each member. */
export interface Discriminator {
  readonly key: string;
  readonly values: readonly (readonly LiteralType["value"][])[];
}

/** Finds the discriminating key of objects: a key that is required in each, with literals that no other member has. */
export function findDiscriminator(
  members: readonly TypeModel[],
  definitions: Definitions,
  hint?: string,
): Discriminator | undefined {
  const objects = members.map((member) => resolveType(member, definitions));
  const first = objects[0];
  if (objects.length < 2 || first?.kind !== "object" || !objects.every((member) => member.kind === "object"))
    return undefined;
  const keys = first.fields.map((field) => field.key);
  for (const key of hint === undefined ? keys : [hint, ...keys]) {
    const values = objects.map((member) => literalsOf(member as ObjectType, key, definitions));
    const all = values.flat();
    if (values.every((entry) => entry.length > 0) && new Set(all).size === all.length) return { key, values };
  }
  return undefined;
}

function literalsOf(object: ObjectType, key: string, definitions: Definitions): readonly LiteralType["value"][] {
  const field: FieldModel | undefined = object.fields.find((candidate) => candidate.key === key);
  if (field === undefined || field.optional === true || field.default !== undefined) return [];
  const type = resolveType(field.type, definitions);
  const literals = type.kind === "union" ? flattenUnion(type.members) : [type];
  return literals.every((literal) => literal.kind === "literal") ? literals.map((literal) => literal.value) : [];
}

/** True for a type that contains itself, and for a type that contains such a type. */
export function isRecursive(type: TypeModel, definitions: Definitions): boolean {
  const open = new Set<string>();
  const done = new Set<string>();
  const visit = (part: TypeModel): boolean => {
    if (part.kind !== "ref") return childTypes(part).some(visit);
    if (open.has(part.name)) return true;
    if (done.has(part.name)) return false;
    open.add(part.name);
    const found = visit(resolveType(part, definitions));
    open.delete(part.name);
    done.add(part.name);
    return found;
  };
  return visit(type);
}

/** True for a type that accepts every value: `unknown`, or a union that contains it. */
export function acceptsAll(type: TypeModel, definitions: Definitions): boolean {
  const seen = new Set<string>();
  const visit = (part: TypeModel): boolean => {
    if (part.kind === "union") return part.members.some(visit);
    if (part.kind !== "ref") return part.kind === "unknown";
    if (seen.has(part.name)) return false;
    seen.add(part.name);
    return visit(resolveType(part, definitions));
  };
  return visit(type);
}

/** True when a type is or contains an object with a schema URN. */
export const hasUrn = createSearch((part) => part.kind === "object" && part.urn !== undefined);

/** The keys that an object's schema declares. */
export function declaredNames(type: ObjectType): readonly string[] {
  return [...(type.urn === undefined ? [] : ["$schema"]), ...type.fields.map((field) => field.key)];
}

/** The key patterns of an object, each excluding the declared keys. */
export function keyPatterns(type: ObjectType): readonly KeyPattern[] {
  const declared = declaredNames(type);
  return (type.patterns ?? []).map((entry) => {
    const own = declared.filter((key) => new RegExp(entry.pattern, "u").test(key)).map(escapeRegex);
    return own.length === 0 ? entry : { ...entry, pattern: `^(?!(?:${own.join("|")})$)${entry.pattern.slice(1)}` };
  });
}

/** Number of required elements at the start of a tuple. */
export function requiredElements(elements: readonly { readonly optional?: true }[]): number {
  return elements.findLastIndex((element) => element.optional !== true) + 1;
}

/** True for a field whose key may be missing on the wire. */
export function isOptional(field: FieldModel): boolean {
  return field.optional === true || field.default !== undefined;
}
