import { textKeys } from "./text-keys.ts";
import type { RefType, TypeModel } from "./type.ts";

/**
 * Returns a text for a definition and all that it refers to. It is the same for definitions of the same form, also if
 * their names and texts differ.
 */
export function modelKey(name: string, definitions: ReadonlyMap<string, TypeModel>): string {
  const places = new Map([[name, 0]]);
  const keys: string[] = [];
  // This loop also visits the names that are added while it runs.
  for (const next of places.keys()) {
    const key = JSON.stringify(definitions.get(next), (property, value: unknown) => {
      if (Object.hasOwn(textKeys, property)) return undefined;
      if (!isRef(value)) return value;
      if (!places.has(value.name)) places.set(value.name, places.size);
      return places.get(value.name);
    });
    keys.push(key);
  }
  return keys.join("\n");
}

function isRef(value: unknown): value is RefType {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "ref";
}
