import { editDistance } from "../../../runtime/contract/nearest-name.ts";
import { foreignTags, isToolComment } from "./foreign-tags.ts";
import { synonymOf } from "./tag-synonyms.ts";

/** Tags of a tool without text: the text after them still belongs to the summary. */
export const toolModifiers: ReadonlySet<string> = new Set([
  "tool",
  "prompt",
  "readonly",
  "destructive",
  "idempotent",
  "openWorld",
  "thread",
  "keep",
  "alwaysLoad",
]);

/** Tags of a tool that take a value. */
export const toolTags: ReadonlySet<string> = new Set([
  "name",
  "title",
  "path",
  "schema",
  "icon",
  "example",
  "ask",
  "timeout",
  "retry",
  "schedule",
  "limit",
  "rate",
  "debounce",
  "deprecated",
  "category",
  "task",
  "scope",
  "inputSchema",
  "text",
  "view",
  "resource",
  "mimeType",
  "audience",
  "priority",
]);

/** Tags that narrow the values of a field. */
export const constraintTags: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "type",
]);

/** Constraint tags that apply to a list, and not to its items. */
export const listTags: ReadonlySet<string> = new Set(["minItems", "maxItems", "uniqueItems"]);

/** Tags of a field that do not narrow its values. */
export const fieldTags: ReadonlySet<string> = new Set([
  "default",
  "defaultValue",
  "example",
  "deprecated",
  "title",
  "header",
]);

/** Tags without text that may be in the middle of a comment. */
export const modifierTags: ReadonlySet<string> = new Set([
  ...toolModifiers,
  "internal",
  "public",
  "alpha",
  "beta",
  "experimental",
  "sealed",
  "virtual",
  "override",
  "hidden",
]);

/** All tags of tenon. */
export const ownTags: ReadonlySet<string> = new Set([...toolModifiers, ...toolTags, ...constraintTags, ...fieldTags]);

/** True for a tag of tenon, or of another tool that reads comments. */
export function isKnownTag(name: string): boolean {
  return ownTags.has(name) || foreignTags.has(name) || isToolComment(name);
}

/** True for a tag of tenon, or a probable misspelling of one: it may begin anywhere in a line. */
export function isMeant(name: string): boolean {
  return isKnownTag(name) || synonymOf(name) !== undefined || nearMiss(name) !== undefined;
}

/**
 * Finds the tag that an unknown tag was probably meant to be; `undefined` for known tags, synonyms, and tags that
 * resemble none of tenon's.
 */
export function nearMiss(name: string): string | undefined {
  if (isKnownTag(name) || synonymOf(name) !== undefined) return undefined;
  for (const tag of ownTags) if (tag.toLowerCase() === name.toLowerCase()) return tag;
  if (name.length < 3) return undefined;
  for (const tag of ownTags) {
    const allowed = tag.length >= 8 ? 2 : 1;
    if (Math.abs(tag.length - name.length) <= allowed && editDistance(tag.toLowerCase(), name.toLowerCase()) <= allowed)
      return tag;
  }
  return undefined;
}
