import { childTypes } from "../../model/child-types.ts";
import type { TypeModel } from "../../model/type.ts";
import { circularNames, groupNames } from "./groups.ts";

/** Caches the results of a function by the set of definitions that it gets, since definitions never change. */
function perDefinitions<T extends object>(make: (definitions: Definitions) => T): (definitions: Definitions) => T {
  const known = new WeakMap<Definitions, T>();
  return (definitions) => {
    const before = known.get(definitions);
    if (before !== undefined) return before;
    const made = make(definitions);
    known.set(definitions, made);
    return made;
  };
}

/** Direct references between definitions. */
interface References {
  readonly of: (name: string) => readonly string[];
  readonly groups: readonly (readonly string[])[];
}

const references = perDefinitions((definitions): References => {
  const known = new Map<string, readonly string[]>();
  const of = (name: string): readonly string[] => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const refs = new Set<string>();
    const visit = (part: TypeModel): void => {
      if (part.kind === "ref") refs.add(part.name);
      else childTypes(part).forEach(visit);
    };
    visit(resolveType({ kind: "ref", name }, definitions));
    const made = [...refs];
    known.set(name, made);
    return made;
  };
  return { of, groups: groupNames(Object.keys(definitions), of) };
});

/** Names of the types that contain themselves. */
export const recursiveNames = perDefinitions((definitions): ReadonlySet<string> => {
  const { of, groups } = references(definitions);
  return circularNames(groups, of);
});

/** A search for types of some kind within other types; all definitions are searched once. */
export function createSearch(
  isFound: (part: TypeModel, definitions: Definitions) => boolean,
): (type: TypeModel, definitions: Definitions) => boolean {
  const names = perDefinitions((definitions): ReadonlySet<string> => {
    const { of, groups } = references(definitions);
    const found = new Set<string>();
    const visit = (part: TypeModel): boolean =>
      part.kind !== "ref" && (isFound(part, definitions) || childTypes(part).some(visit));
    for (const group of groups) {
      const isAny = group.some(
        (name) => of(name).some((ref) => found.has(ref)) || visit(resolveType({ kind: "ref", name }, definitions)),
      );
      if (isAny) for (const name of group) found.add(name);
    }
    return found;
  });
  return (type, definitions) => {
    const visit = (part: TypeModel): boolean =>
      part.kind === "ref"
        ? names(definitions).has(part.name)
        : isFound(part, definitions) || childTypes(part).some(visit);
    return visit(type);
  };
}

export type Definitions = { readonly [name: string]: TypeModel };

/** Follows a `ref` to its type; returns other types as they are. */
export function resolveType(type: TypeModel, definitions: Definitions): TypeModel {
  if (type.kind !== "ref") return type;
  const seen = new Set<string>();
  let target: TypeModel = type;
  while (target.kind === "ref" && !seen.has(target.name)) {
    seen.add(target.name);
    target = (Object.hasOwn(definitions, target.name) ? definitions[target.name] : undefined) ?? { kind: "unknown" };
  }
  return target.kind === "ref" ? { kind: "unknown" } : target;
}
