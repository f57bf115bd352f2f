import { ts } from "ts-morph";
import { docComment } from "../base/comment.ts";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import type { SourceEdit } from "./source-edits.ts";

/** Tags with one value. A text after the value is a custom error message, which is dropped: tenon generates its own. */
const bounds = new Set("minimum maximum minLength maxLength minItems maxItems pattern uniqueItems".split(" "));
/** Tags that are dropped, since the TypeScript type already expresses them. */
const plain = new Set("isString isBoolean isBool isArray isObject isFloat isDouble".split(" "));

/** A tag of a comment, with its text. */
export interface WrittenTag {
  readonly node: ts.JSDocTag;
  readonly name: string;
  readonly text: string;
}

/** The comments of a node as text and tags. */
export function commentOf(node: ts.Node): { readonly text: string | undefined; readonly tags: readonly WrittenTag[] } {
  const docs = docsOf(node);
  const texts = docs.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "").filter((text) => text !== "");
  return { text: texts.length === 0 ? undefined : texts.join("\n"), tags: docs.flatMap(tagsOf) };
}

function docsOf(node: ts.Node): readonly ts.JSDoc[] {
  return (node as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? [];
}

function tagsOf({ tags = [] as unknown as ts.NodeArray<ts.JSDocTag> }: ts.JSDoc): readonly WrittenTag[] {
  return tags.map((node) => {
    const { text } = node.getSourceFile();
    // The text is taken from the source, since the compiler's parser of comments changes braces and backticks, which
    // patterns may contain.
    const written = text.slice(node.tagName.end, node.end).replaceAll(/\s*\n[ \t]*\*?[ \t]?/g, "\n");
    return { node, name: node.tagName.text, text: written.trim() };
  });
}

/**
 * Converts a tag of tsoa to a tag of tenon; undefined for a tag that has no counterpart.
 *
 * @param type Type of the parameter to which the tag belongs, or its default value; default: the type of the field
 */
export function tenonTag(context: AdoptContext, { node, name, text }: WrittenTag, type?: ts.Node): string | undefined {
  const [value = ""] = text.split(/\s/);
  if (name === "isInt" || name === "isLong") return "@type integer";
  if (plain.has(name)) return undefined;
  if (name === "uniqueItems") return "@uniqueItems";
  if (bounds.has(name)) return `@${name} ${value.replaceAll(/^`+|`+$/g, "")}`;
  if (name === "isDate" || name === "isDateTime") return dateTag(context, node, name, type);
  if (name === "minDate" || name === "maxDate") {
    leaveOpen(context, node, "bounds of a date have no tag", "check it in the body: `if (…) throw new ValueError(…)`");
    return undefined;
  }
  if (name !== "example" && name !== "default") return text === "" ? `@${name}` : `@${name} ${text}`;
  const json = jsonText(text);
  if (json === undefined) leaveOpen(context, node, `the value of \`@${name}\` is not JSON`, "write it as JSON");
  return json && `@${name} ${json}`;
}

function dateTag(context: AdoptContext, node: ts.Node, name: string, given?: ts.Node): string | undefined {
  const field = ts.findAncestor(node, (at) => ts.isPropertySignature(at) || ts.isPropertyDeclaration(at));
  const type = (given ?? (field as ts.PropertySignature | undefined)?.type)?.getText() ?? "string";
  if (!/\bDate\b/.test(type)) return name === "isDate" ? "@format date" : "@format date-time";
  if (name === "isDate")
    leaveOpen(context, node, "a `Date` is a date with a time", "use a `string` with `@format date`");
  return undefined;
}

/** Converts a value to JSON on one line; a text without quotes is not changed. Undefined for an invalid value. */
function jsonText(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return /^[[{'"]|\n/.test(text) ? undefined : text;
  }
}

/** Makes the edits that convert the tags in the comments of a node. */
export function tagEdits(context: AdoptContext, node: ts.Node): readonly SourceEdit[] {
  return docsOf(node).flatMap((doc) => {
    const tags = tagsOf(doc);
    const lines = tags.map((tag) => tenonTag(context, tag));
    if (tags.every(({ name, text }, at) => lines[at] === `@${name}${text === "" ? "" : ` ${text}`}`)) return [];
    const source = doc.getSourceFile();
    const before = source.text.slice(source.text.lastIndexOf("\n", doc.pos) + 1, doc.pos);
    const comment = docComment(
      ts.getTextOfJSDocComment(doc.comment),
      lines.filter((line) => line !== undefined),
    );
    const space = /^\s*/.exec(source.text.slice(doc.end))?.[0].length ?? 0;
    if (comment === "") return [{ start: doc.pos, end: doc.end + space, text: "" }];
    const indent = /^\s*$/.test(before) ? before : "";
    return [{ start: doc.pos, end: doc.end, text: comment.trim().replaceAll("\n", `\n${indent}`) }];
  });
}
