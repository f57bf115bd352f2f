import type { Doc, DocTag } from "../base/tsdoc.ts";
import { constraintTags } from "../base/tag-names.ts";

/** A parameter's part of a comment: the text of its `@param`, and the tags behind it that speak of a value. */
export interface ParamTags {
  readonly name: string;
  readonly tag: DocTag;
  readonly text: string;
  readonly tags: readonly DocTag[];
}

const pattern = /^(?:\{[^}]*\}\s*)?\[?([\p{ID_Continue}$.]+)(?:=[^\]]*)?\]?\s*(?:-\s*)?([\s\S]*)$/u;

/** Tags that mean nothing on a function, and so belong to the parameter above them. */
const values: ReadonlySet<string> = new Set([...constraintTags, "default", "defaultValue", "header"]);
/** Tags of functions as well: those of a parameter stand in its own line. */
const shared: ReadonlySet<string> = new Set(["title", "deprecated", "example"]);

/** The `@param` tags of a comment in the text of its file, each with the tags that follow it. */
export function paramTags(doc: Doc | undefined, source: string): readonly ParamTags[] {
  const found: ParamTags[] = [];
  let tags: DocTag[] | undefined;
  let start = 0;
  for (const tag of doc?.tags ?? []) {
    const [, name, text = ""] = tag.name === "param" ? (pattern.exec(tag.text) ?? []) : [];
    if (tag.name === "param") {
      tags = name === undefined ? undefined : [];
      start = tag.start;
      if (name !== undefined && tags !== undefined) found.push({ name, tag, text, tags });
    } else if (values.has(tag.name) || (shared.has(tag.name) && !/[\r\n]/.test(source.slice(start, tag.start))))
      tags?.push(tag);
    else tags = undefined;
  }
  return found;
}
