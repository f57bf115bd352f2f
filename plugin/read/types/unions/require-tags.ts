import type { FieldModel, ObjectType, TypeModel } from "../../../model/type.ts";
import type { TypeContext } from "../../base/type-context.ts";

/**
 * Makes the tags of classes required where the class is a member of a union. `readonly kind = "a"` names the case of a
 * value there; as a default, it would turn a value without `kind` into the first case.
 */
export function requireTags({ definitions, initialised, unions }: TypeContext): void {
  if (initialised.size === 0) return;
  for (const { union } of unions) {
    const objects = objectsOf(union, definitions);
    if (objects.size < 2) continue;
    for (const [object, name] of objects) {
      const others = [...objects.keys()].filter((other) => other !== object);
      const isTag = (field: FieldModel): boolean =>
        field.at !== undefined && initialised.has(field.at) && isCase(field, others);
      if (name === undefined || !object.fields.some(isTag)) continue;
      const fields = object.fields.map((field) => (isTag(field) ? required(field) : field));
      definitions.set(name, { ...object, fields });
    }
  }
}

/** Returns the objects of a union and of the unions in it, each with its name in the definitions. */
function objectsOf(
  type: TypeModel,
  definitions: TypeContext["definitions"],
  open: ReadonlySet<string> = new Set(),
): ReadonlyMap<ObjectType, string | undefined> {
  if (type.kind === "object") return new Map([[type, undefined]]);
  if (type.kind === "union")
    return new Map(type.members.flatMap((member) => [...objectsOf(member, definitions, open)]));
  if (type.kind !== "ref" || open.has(type.name)) return new Map();
  const target = definitions.get(type.name);
  if (target?.kind === "object") return new Map([[target, type.name]]);
  return target === undefined ? new Map() : objectsOf(target, definitions, new Set([...open, type.name]));
}

/**
 * True for a field with one legal value, which some other member does not have, and for one with several of which no
 * other member accepts any.
 */
function isCase({ key, type }: FieldModel, others: readonly ObjectType[]): boolean {
  const own = literals(type);
  const tellsApart = (other: ObjectType): boolean => {
    const theirs = literals(other.fields.find((field) => field.key === key)?.type);
    return (theirs.size > 0 || own.size === 1) && [...theirs].every((value) => !own.has(value));
  };
  return own.size === 1 ? others.some(tellsApart) : own.size > 0 && others.every(tellsApart);
}

/** The only legal values of a type; none if there are others. */
function literals(type: TypeModel | undefined): ReadonlySet<unknown> {
  const members = type?.kind === "union" ? type.members : [type];
  const values = members.flatMap((member) => (member?.kind === "literal" ? [member.value] : []));
  return new Set(values.length === members.length ? values : []);
}

function required({ optional: _optional, default: _default, ...field }: FieldModel): FieldModel {
  return field;
}
