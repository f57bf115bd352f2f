import type { TypeModel } from "../../model/type.ts";

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
