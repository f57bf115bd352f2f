import type { JsonLiteral } from "../model/type.ts";
import { keyText, stringText } from "./js-text.ts";
import type { Scope } from "./scope.ts";

/** Shorter texts cost more as a constant than written twice. */
const shortestShared = 24;

/**
 * JSON data as a literal whose equal parts are written once, as constants of the scope: the portable schema repeats most
 * of the full one. The data must be treated as read-only.
 */
export function dataText(value: JsonLiteral, scope: Scope): string {
  const counts = new Map<string, number>();
  count(value, counts);
  return partText(value, counts, scope);
}

/** Counts equal parts; below a part that is repeated nothing is counted again, since it is written once. */
function count(value: JsonLiteral, counts: Map<string, number>): void {
  const key = JSON.stringify(value);
  if (key.length < shortestShared) return;
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  if (before > 0 || typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) count(item as JsonLiteral, counts);
}

function partText(value: JsonLiteral, counts: ReadonlyMap<string, number>, scope: Scope): string {
  const key = JSON.stringify(value);
  const isShared = (counts.get(key) ?? 0) > 1 || scope.known(`data:${key}`) !== undefined;
  return isShared ? scope.constant(`data:${key}`, () => literalText(value, counts, scope)) : literalText(value, counts, scope);
}

/** A text as functions use it: the constant that the data takes it from as well. */
export function sharedText(text: string, scope: Scope): string {
  const key = JSON.stringify(text);
  return key.length < shortestShared ? stringText(text) : scope.constant(`data:${key}`, () => stringText(text));
}

function literalText(value: JsonLiteral, counts: ReadonlyMap<string, number>, scope: Scope): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonLiteral) => partText(item, counts, scope)).join()}]`;
  return `{${Object.entries(value).map(([name, item]) => `${keyText(name)}:${partText(item as JsonLiteral, counts, scope)}`).join()}}`;
}
