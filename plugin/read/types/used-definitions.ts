import { childTypes } from "../../model/child-types.ts";
import type { TypeModel } from "../../model/type.ts";

/** Returns the definitions that some types reach, in the order in which they were defined. */
export function usedDefinitions(
  types: readonly (TypeModel | undefined)[],
  definitions: ReadonlyMap<string, TypeModel>,
): { readonly [name: string]: TypeModel } {
  const used = new Set<string>();
  const visit = (type: TypeModel | undefined): void => {
    if (type === undefined) return;
    if (type.kind === "ref") {
      if (used.has(type.name)) return;
      used.add(type.name);
      visit(definitions.get(type.name));
      return;
    }
    childTypes(type).forEach(visit);
  };
  types.forEach(visit);
  return Object.fromEntries([...definitions].filter(([name]) => used.has(name)));
}
