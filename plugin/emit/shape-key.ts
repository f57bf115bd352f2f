import type { TypeModel } from "../model/type.ts";

/** Keys are asked for again and again, and a model does not change. */
const known = new WeakMap<TypeModel, string>();
const texts = new Set(["title", "description", "deprecated", "examples", "at", "header"]);

/** A text of a type without its descriptions: equal keys accept, decode and encode alike. */
export function shapeKey(type: TypeModel): string {
  if (type.kind !== "object" && type.kind !== "union") return keyOf(type);
  const before = known.get(type);
  if (before !== undefined) return before;
  const key = keyOf(type);
  known.set(type, key);
  return key;
}

function keyOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  let key = "{";
  for (const [name, part] of Object.entries(value) as [string, unknown][]) {
    if (part === undefined || texts.has(name)) continue;
    // A default may have keys of these names.
    key += `${name}:${name === "default" ? JSON.stringify(part) : keyOf(part)},`;
  }
  return `${key}}`;
}
