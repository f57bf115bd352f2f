import type { Attributes } from "@opentelemetry/api";
import { jsonSafeFields } from "../../base/json-safe.ts";
import { logState } from "../log/log-state.ts";

/** Maximum characters of an author's text in a span. */
export const longestText = 1024;
/** Maximum number of a step's fields that become attributes. */
const mostFields = 50;

/** Removes secrets from an author's text, and shortens it. */
export function cleanText(text: string, token: string | undefined, limit: number = longestText): string {
  return logState().redactor.text(text, token).slice(0, limit);
}

/** The author's fields of a step that attributes can hold: texts, numbers, booleans and lists of one kind. */
export function fieldAttributes(fields: Readonly<Record<string, unknown>>, token: string | undefined): Attributes {
  const attributes = new Map<string, Simple | Simple[]>();
  for (const [name, value] of Object.entries(logState().redactor.fields(jsonSafeFields(fields), token))) {
    const simple: unknown = typeof value === "string" ? value.slice(0, longestText) : value;
    if (isSimple(simple) || isSimpleList(simple)) attributes.set(`platform.event.${name.slice(0, 100)}`, simple);
    if (attributes.size === mostFields) break;
  }
  return Object.fromEntries(attributes) as Attributes;
}

type Simple = string | number | boolean;

function isSimple(value: unknown): value is Simple {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isSimpleList(value: unknown): value is Simple[] {
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((item) => isSimple(item) && typeof item === typeof value[0])
  );
}
