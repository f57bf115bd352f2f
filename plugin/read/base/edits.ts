import type { ts } from "ts-morph";
import type { Edit } from "../../diagnostics/diagnostic.ts";
import { indentOf } from "../../diagnostics/last-tag.ts";
import type { Place } from "./reading.ts";
import type { Doc } from "./tsdoc.ts";

/** Adds a comment above a declaration that has none, or before it when other code is on its line. */
export function commentAbove(node: ts.Node, text: string): Edit {
  const file = node.getSourceFile();
  const start = node.getStart(file);
  const indent = indentOf(file.text, start);
  return { offset: start, text: indent === undefined ? `/** ${text} */ ` : `/** ${text} */\n${indent}` };
}

/** An edit that replaces a range by a text. */
export function replaced({ start, end }: Place, text: string): Edit {
  return { offset: start, length: end - start, text };
}

/** Makes an edit that adds a placeholder text for the author: before the tags of a comment, or in a new comment. */
export function stubText(node: ts.Node, doc: Doc | undefined, text: string): Edit {
  const edit = doc === undefined ? commentAbove(node, text) : { offset: doc.start + "/**".length, text: ` ${text}` };
  return { ...edit, choice: true };
}
