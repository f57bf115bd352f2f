import type { TypeModel } from "./type.ts";

/**
 * Finds a definition that refers to itself only by references and members of unions, without a nested value. Its schema
 * and its validator would accept everything.
 *
 * @returns The names on the way, the first one repeated at the end; undefined when there is none
 */
export function findUngrounded(definitions: ReadonlyMap<string, TypeModel>): readonly string[] | undefined {
  const grounded = new Set<string>();
  const search = (type: TypeModel | undefined, way: readonly string[]): readonly string[] | undefined => {
    if (type?.kind === "union") return firstOf(type.members, (member) => search(member, way));
    if (type?.kind !== "ref" || grounded.has(type.name)) return undefined;
    const before = way.indexOf(type.name);
    if (before >= 0) return [...way.slice(before), type.name];
    const found = search(definitions.get(type.name), [...way, type.name]);
    if (found === undefined) grounded.add(type.name);
    return found;
  };
  return firstOf(definitions.keys(), (name) => search({ kind: "ref", name }, []));
}

function firstOf<T, R>(values: Iterable<T>, find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
