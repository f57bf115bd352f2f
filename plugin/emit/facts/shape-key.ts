import { textKeys } from "../../model/text-keys.ts";
import type { TypeModel } from "../../model/type.ts";

/** A cache: keys are read repeatedly, and a model does not change. */
const known = new WeakMap<object, string>();

/** A key for a type without its descriptions: types with equal keys accept, decode and encode alike. */
export const shapeKey: (type: TypeModel) => string = keyOf;

function keyOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  // Keys of all other types are short, and there are many.
  const isShared = "kind" in value && (value.kind === "object" || value.kind === "union");
  const before = isShared ? known.get(value) : undefined;
  if (before !== undefined) return before;
  let key = "{";
  for (const name of Object.keys(value)) {
    const part = value[name as keyof typeof value] as unknown;
    if (part === undefined || Object.hasOwn(textKeys, name)) continue;
    // Defaults are printed separately, since they may have keys of these names.
    key += `${name}:${name === "default" ? JSON.stringify(part) : keyOf(part)},`;
  }
  key += "}";
  if (isShared) known.set(value, key);
  return key;
}
