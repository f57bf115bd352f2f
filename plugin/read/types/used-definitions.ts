import type { TypeModel } from "../../model/type.ts";

/** The definitions that some types reach, in their own order. */
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
    for (const part of partsOf(type)) visit(part);
  };
  types.forEach(visit);
  return Object.fromEntries([...definitions].filter(([name]) => used.has(name)));
}

function partsOf(type: TypeModel): readonly (TypeModel | undefined)[] {
  switch (type.kind) {
    case "array":
    case "set":
      return [type.items];
    case "map":
      return [type.values];
    case "tuple":
      return [...type.elements.map((element) => element.type), type.rest];
    case "object":
      return [
        ...type.fields.map((field) => field.type),
        ...(type.patterns ?? []).map((entry) => entry.type),
        type.index,
      ];
    case "union":
      return type.members;
    default:
      return [];
  }
}
