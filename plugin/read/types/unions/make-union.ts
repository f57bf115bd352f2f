import type { LiteralType, ObjectType, TypeModel } from "../../../model/type.ts";

type Definitions = ReadonlyMap<string, TypeModel>;

const texts: ReadonlySet<string> = new Set(["title", "description", "deprecated", "examples"]);

/** True for a type with a description of its own, which must not be applied to other members of a union. */
function isDescribed(type: TypeModel): boolean {
  return Object.keys(type).some((key) => texts.has(key));
}

/**
 * Makes a union of members without duplicates. A single member replaces the union. Literals are dropped if their whole
 * type is a member. Members with texts stay as they are.
 */
export function makeUnion(members: readonly TypeModel[]): TypeModel {
  const flat = members.flatMap((member) =>
    member.kind === "union" && !isDescribed(member) ? member.members : [member],
  );
  const [whole] = members;
  if (members.length === 1 && whole?.kind === "union") return whole;
  const literals = flat.filter((member): member is LiteralType => member.kind === "literal");
  const values = new Set(literals.filter((member) => !isDescribed(member)).map((member) => member.value));
  const both = values.has(true) && values.has(false);
  const open = new Set(
    flat
      .filter((member) => Object.keys(member).every((key) => key === "kind" || texts.has(key)))
      .map((member) => member.kind as string),
  );
  const result: TypeModel[] = [];
  const seen = new Set<string>();
  for (const member of flat) {
    const isPlain = member.kind === "literal" && !isDescribed(member);
    const merged: TypeModel = both && isPlain && typeof member.value === "boolean" ? { kind: "boolean" } : member;
    if (isPlain && open.has(typeof member.value)) continue;
    const text = JSON.stringify(merged);
    if (!seen.has(text)) result.push(merged);
    seen.add(text);
  }
  const [only] = result;
  return result.length === 1 && only !== undefined ? only : { kind: "union", members: result };
}

/** Finds a field with a different literal in every member; `undefined` when there is none. */
function discriminatorOf(members: readonly TypeModel[], definitions: Definitions): string | undefined {
  const objects = members
    .flatMap((member) => (member.kind === "union" ? member.members : [member]))
    .map((member) => objectOf(member, definitions));
  const [first] = objects;
  if (first === undefined || objects.length < 2) return undefined;
  return first.fields
    .map((field) => field.key)
    .find((key) => {
      const values = new Set<unknown>();
      for (const object of objects) {
        const field = object?.fields.find((candidate) => candidate.key === key);
        if (field === undefined || field.optional === true || field.type.kind !== "literal") return false;
        values.add(field.type.value);
      }
      return values.size === objects.length;
    });
}

/** Resolves a model or a reference to an object; undefined for any other type. */
export function objectOf(type: TypeModel | undefined, definitions: Definitions): ObjectType | undefined {
  const target = type?.kind === "ref" ? definitions.get(type.name) : type;
  return target?.kind === "object" ? target : target?.kind === "ref" ? objectOf(target, definitions) : undefined;
}

/**
 * Creates a function that adds the discriminators to the unions of a type, after all definitions are known. A model
 * that occurs in several places stays one object.
 */
export function createDiscriminators(definitions: Definitions): (type: TypeModel) => TypeModel {
  const known = new Map<TypeModel, TypeModel>();
  const inside = (type: TypeModel): TypeModel => {
    const before = known.get(type);
    if (before !== undefined) return before;
    const made = withParts(type, inside);
    const discriminator = made.kind === "union" ? discriminatorOf(made.members, definitions) : undefined;
    const result = discriminator === undefined ? made : { ...made, discriminator };
    known.set(type, result);
    return result;
  };
  return inside;
}

function withParts(type: TypeModel, inside: (inner: TypeModel) => TypeModel): TypeModel {
  switch (type.kind) {
    case "array":
    case "set":
      return { ...type, items: inside(type.items) };
    case "map":
      return { ...type, values: inside(type.values) };
    case "tuple":
      return {
        ...type,
        elements: type.elements.map((element) => ({ ...element, type: inside(element.type) })),
        ...(type.rest === undefined ? {} : { rest: inside(type.rest) }),
      };
    case "object":
      return {
        ...type,
        fields: type.fields.map((field) => ({ ...field, type: inside(field.type) })),
        ...(type.patterns !== undefined && {
          patterns: type.patterns.map((entry) => ({ ...entry, type: inside(entry.type) })),
        }),
        ...(type.index === undefined ? {} : { index: inside(type.index) }),
      };
    case "union":
      return { ...type, members: type.members.map(inside) };
    default:
      return type;
  }
}
