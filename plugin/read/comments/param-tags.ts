import type { ts } from "ts-morph";
import { docOf } from "../base/reading.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";
import { constraintTags } from "../base/tag-names.ts";

/** The part of a comment about a parameter: the text of its `@param`, and the following tags that describe values. */
export interface ParamTags {
  readonly name: string;
  /** Path of the field that the tag names: `["address", "street"]` for `@param request.address.street`. */
  readonly path: readonly string[];
  readonly tag: DocTag;
  readonly text: string;
  readonly tags: readonly DocTag[];
}

/** Matches `name`, `{type} name`, `[name=default]`, `name.field`, `name[].field`, and the following text. */
const pattern =
  /^(?:\{[^}]*\}\s*)?\[?(?:\.\.\.)?([\p{ID_Continue}$]+(?:(?:\[\])*\.[\p{ID_Continue}$-]*[\p{ID_Continue}$])*(?:\[\])*)(?:=([^\]]*))?\]?(?!\S)\s*(?:-\s*)?([\s\S]*)$/u;

/** Tags that have no meaning for a function, and thus belong to the parameter above them. */
const values: ReadonlySet<string> = new Set([...constraintTags, "default", "defaultValue", "header"]);
/** Tags that functions may have as well. They belong to a parameter only if they are on its line. */
const shared: ReadonlySet<string> = new Set(["title", "deprecated", "example"]);

const onlyParam: ReadonlySet<string> = new Set(["param", "arg", "argument"]);

/** The `@param` tags of a comment in the text of its file, each with the tags that follow it. */
export function paramTags(
  doc: Doc | undefined,
  source: string,
  names: ReadonlySet<string> = onlyParam,
): readonly ParamTags[] {
  const found: ParamTags[] = [];
  let tags: DocTag[] | undefined;
  let start = 0;
  for (const tag of doc?.tags ?? []) {
    const isParam = names.has(tag.name);
    const [, whole, standard, text = ""] = isParam ? (pattern.exec(tag.text) ?? []) : [];
    if (isParam) {
      // The value in `[name=3]` becomes a default, as in JSDoc.
      const given: DocTag[] = standard ? [{ ...tag, name: "default", text: standard.trim() }] : [];
      tags = whole === undefined ? undefined : given;
      start = tag.start;
      const [name = "", ...path] = (whole ?? "").replaceAll("[]", "").split(".");
      if (tags !== undefined) found.push({ name, path, tag, text, tags });
    } else if (values.has(tag.name) || (shared.has(tag.name) && !/[\r\n]/.test(source.slice(start, tag.start))))
      tags?.push(tag);
    else tags = undefined;
  }
  return found;
}

const propertyTags: ReadonlySet<string> = new Set(["property", "prop"]);

/** The `@property` lines in the comment of a type. */
export function propertyLines(declaration: ts.Node): readonly ParamTags[] {
  return paramTags(docOf(declaration), declaration.getSourceFile().text, propertyTags);
}

/** Returns the comment of a type, without the tags of its `@property` lines. */
export function typeDocOf(declaration: ts.Node): Doc | undefined {
  const doc = docOf(declaration);
  if (doc?.tags.some(({ name }) => propertyTags.has(name)) !== true) return doc;
  const others = new Set(propertyLines(declaration).flatMap(({ tags }) => tags.map(({ start }) => start)));
  return { ...doc, tags: doc.tags.filter(({ start }) => !others.has(start)) };
}

/** Converts a `@param` to a comment: its text, and the tags after it. */
export function docOfParam({ tag, text, tags }: ParamTags): Doc {
  return { summary: text, tags, start: tag.start, end: tag.start + tag.length + tag.text.length };
}
