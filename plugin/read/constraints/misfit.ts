import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import type { JsonLiteral, ObjectType, TypeModel } from "../../model/type.ts";
import { accepts } from "./accepts.ts";

type Definitions = ReadonlyMap<string, TypeModel>;

/**
 * Explains why a wire value is not legal for a type, by the path of the innermost field, such as ``field `k.z` is
 * missing``; undefined for a legal value. Fields that no type declares are reported as well.
 */
export function misfit(type: TypeModel, value: JsonLiteral, definitions: Definitions, path = ""): string | undefined {
  const target = targetOf(type, definitions);
  const inside =
    target.kind === "object" && isObject(value)
      ? misfitOfObject(target, value, definitions, path)
      : innerValues(target, value)
          .map(([key, inner, of]) => misfit(of, inner, definitions, path + key))
          .find((found) => found !== undefined);
  if (inside !== undefined || accepts(type, value, definitions)) return inside;
  if (path === "") return "it does not fit the request model";
  const text = JSON.stringify(value);
  return `field \`${path}\` is \`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\`, which does not fit its type`;
}

/**
 * Resolves a reference. For a union with `null`, returns the other member; undefined for other unions, since the
 * intended member is unknown.
 */
function targetOf(type: TypeModel, definitions: Definitions, depth = 0): TypeModel {
  const named = type.kind === "ref" ? definitions.get(type.name) : undefined;
  const members =
    type.kind === "union" ? type.members.filter((one) => one.kind !== "literal" || one.value !== null) : [];
  const inner = named ?? (members.length === 1 ? members[0] : undefined);
  return inner === undefined || depth > 20 ? type : targetOf(inner, definitions, depth + 1);
}

/** Lists the items and values of a structure, each with the end of its path and its type. */
function innerValues(type: TypeModel, value: JsonLiteral): readonly (readonly [string, JsonLiteral, TypeModel])[] {
  if (type.kind === "map" && isObject(value))
    return Object.entries(value).map(([key, inner]) => [`.${key}`, inner, type.values] as const);
  if (!Array.isArray(value)) return [];
  const typeAt = (index: number): TypeModel | undefined => {
    if (type.kind === "tuple") return type.elements[index]?.type ?? type.rest;
    return type.kind === "array" || type.kind === "set" ? type.items : undefined;
  };
  return (value as readonly JsonLiteral[]).flatMap((item, index) => {
    const of = typeAt(index);
    return of === undefined ? [] : [[`[${index}]`, item, of] as const];
  });
}

function misfitOfObject(
  { fields, index, patterns = [] }: ObjectType,
  value: Readonly<Record<string, JsonLiteral>>,
  definitions: Definitions,
  path: string,
): string | undefined {
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  for (const field of fields) {
    const inner = Object.hasOwn(value, field.key) ? value[field.key] : undefined;
    if (inner === undefined && field.optional !== true) return `field \`${at(field.key)}\` is missing`;
    const found = inner === undefined ? undefined : misfit(field.type, inner, definitions, at(field.key));
    if (found !== undefined) return found;
  }
  const keys = new Set(["$schema", ...fields.map(({ key }) => key)]);
  const unknown = Object.keys(value).find(
    (key) => !keys.has(key) && !patterns.some(({ pattern }) => new RegExp(pattern, "u").test(key)),
  );
  return unknown === undefined || index !== undefined ? undefined : `there is no field \`${at(unknown)}\``;
}
