import type { FieldModel, ObjectType, TypeModel, UnionType } from "../../model/type.ts";
import { isSame, listsOfObjects, needsMemory, openUnion, splitUnion } from "./codec-facts.ts";
import { createSearch } from "./reach.ts";
import { shapeKey } from "./shape-key.ts";
import { findDiscriminator, isOptional, resolveType, type Definitions } from "./type-facts.ts";

/** The direction of a conversion: a decoder gets legal values, an encoder gets any value. */
export type Turn = "decode" | "encode";

/** A key of a union's objects, and the members that have it. */
export interface JoinedKey {
  readonly key: string;
  /** The field of the first member that has the key; the other members convert it in the same way. */
  readonly field: FieldModel;
  readonly members: readonly number[];
  /** True if the key is declared as `never` and no member may have it. Such a key is tested but never copied. */
  readonly isBarred: boolean;
}

/**
 * Objects without a discriminating field that can be converted together: each key is converted once, whichever members
 * accept the value. Members with the same costly fields form a group, since these fields are legal for all members of
 * the group or for none.
 */
export interface JoinedMembers {
  readonly members: readonly ObjectType[];
  readonly keys: readonly JoinedKey[];
  readonly groups: readonly JoinedGroup[];
  /** For an encoder: the URN of each member, if all have one and they differ. The URN of one member is written. */
  readonly urns?: readonly string[];
}

export interface JoinedGroup {
  readonly members: readonly number[];
  /** Fields whose values have parts, or another form on the wire. */
  readonly costly: readonly FieldModel[];
}

/**
 * Joins the objects of a union. `undefined` if the conversion of a key depends on the member, as for fields that
 * members convert differently, open objects, and schemas that are part of the value.
 */
export function joinMembers(
  types: readonly TypeModel[],
  definitions: Definitions,
  turn: Turn,
): JoinedMembers | undefined {
  const members: ObjectType[] = [];
  for (const type of types) {
    const member = resolveType(type, definitions);
    if (member.kind !== "object" || member.index !== undefined || member.patterns !== undefined) return undefined;
    if (turn === "decode" && member.urnDeclared === true) return undefined;
    // Keys that must be missing are dropped for encoders, which never copy them.
    const isKept = (field: FieldModel): boolean => turn === "decode" || field.type.kind !== "never";
    members.push({ ...member, fields: member.fields.filter(isKept) });
  }
  const urns = turn === "encode" ? members.flatMap(({ urn }) => urn ?? []) : [];
  if (urns.length > 0 && new Set(urns).size < members.length) return undefined;
  const keys = new Map<string, JoinedKey>();
  for (const [index, { fields }] of members.entries()) {
    for (const field of fields) {
      const isBarred = field.type.kind === "never";
      const known = keys.get(field.key);
      if (known === undefined || (known.isBarred && !isBarred)) {
        const before = known?.members ?? [];
        keys.set(field.key, { key: field.key, field, members: isBarred ? before : [...before, index], isBarred });
      } else if (!isBarred) {
        if (!convertsAlike(known.field, field, definitions)) return undefined;
        keys.set(field.key, { ...known, members: [...known.members, index] });
      }
    }
  }
  const joined = { members, keys: [...keys.values()], groups: groupsOf(members, definitions) };
  return urns.length > 0 ? { ...joined, urns } : joined;
}

function convertsAlike(one: FieldModel, other: FieldModel, definitions: Definitions): boolean {
  if (JSON.stringify(one.default) !== JSON.stringify(other.default)) return false;
  const isPlain = one.default === undefined && isSame(one.type, definitions) && isSame(other.type, definitions);
  return isPlain || shapeKey(one.type) === shapeKey(other.type);
}

function groupsOf(members: readonly ObjectType[], definitions: Definitions): readonly JoinedGroup[] {
  const groups = new Map<string, { readonly members: number[]; readonly costly: readonly FieldModel[] }>();
  for (const [index, { fields }] of members.entries()) {
    const costly = fields.filter((field) => isCostly(field, definitions));
    const key = JSON.stringify(
      costly.map((field) => [field.key, isOptional(field), shapeKey(field.type)]).toSorted(byKey),
    );
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { members: [index], costly });
    else group.members.push(index);
  }
  return [...groups.values()];
}

function byKey([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

/** True for a field whose value has parts, or another form on the wire. */
export function isCostly(field: FieldModel, definitions: Definitions): boolean {
  return field.type.kind !== "never" && !isSame(field.type, definitions);
}

/**
 * True when the codecs of a named type need a cache: the type refers to itself through a union whose members the codecs
 * must try one after the other.
 */
export function codecNeedsMemory(name: string, definitions: Definitions, turn: Turn): boolean {
  return needsMemory(name, definitions) && hasTriedUnion[turn]({ kind: "ref", name }, definitions);
}

const searchTried = (turn: Turn): ReturnType<typeof createSearch> =>
  createSearch((part, definitions) => part.kind === "union" && isTried(part, definitions, turn));
const hasTriedUnion = { decode: searchTried("decode"), encode: searchTried("encode") };

function isTried(type: UnionType, definitions: Definitions, turn: Turn): boolean {
  const { objects, converted } = splitUnion(type, definitions);
  if (listsOfObjects(converted, definitions).length > 0) return true;
  const kinds = openUnion(type, definitions).map((member) => resolveType(member, definitions).kind);
  if (kinds.filter((kind) => ["array", "tuple", "set"].includes(kind)).length > 1) return true;
  if (kinds.includes("map") && objects.length > 0) return true;
  if (objects.length < 2 || findDiscriminator(objects, definitions, type.discriminator) !== undefined) return false;
  return joinMembers(objects, definitions, turn)?.groups.length !== 1;
}
