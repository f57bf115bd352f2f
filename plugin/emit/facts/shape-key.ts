import { textKeys } from "../../model/text-keys.ts";
import type { TypeModel } from "../../model/type.ts";

/** Cache of keys, which are read repeatedly: a model does not change. */
const known = new WeakMap<object, string>();

/** Returns a key for a type without its descriptions. Types with equal keys accept, decode and encode alike. */
export const shapeKey: (type: TypeModel) => string = keyOf;

function keyOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  // Only keys of objects and the like are cached: those of other types are short, and there are many.
  const isShared = "kind" in value && (value.kind === "object" || value.kind === "union");
  const before = isShared ? known.get(value) : undefined;
  if (before !== undefined) return before;
  let key = "{";
  for (const name of Object.keys(value)) {
    const part = value[name as keyof typeof value] as unknown;
    if (part === undefined || Object.hasOwn(textKeys, name)) continue;
    // Defaults are printed as JSON, since their keys could have the names of a type's properties.
    key += `${name}:${name === "default" ? JSON.stringify(part) : keyOf(part)},`;
  }
  key += "}";
  if (isShared) known.set(value, key);
  return key;
}
