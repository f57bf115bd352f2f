import type { ts } from "ts-morph";
import type { Edit } from "../../diagnostics/diagnostic.ts";
import type { Place } from "./reading.ts";
import type { Doc } from "./tsdoc.ts";

/** Offsets of a comment, with its signs. */
type Span = Pick<Doc, "start" | "end">;

/** Adds a comment above a declaration that has none, or before it when other code is on its line. */
export function commentAbove(node: ts.Node, text: string): Edit {
  const file = node.getSourceFile();
  const start = node.getStart(file);
  const indent = indentOf(file.text, start);
  return { offset: start, text: indent === undefined ? `/** ${text} */ ` : `/** ${text} */\n${indent}` };
}

/** Adds a tag at the end of a comment. */
export function lastTag(doc: Span, file: Pick<ts.SourceFile, "text">, tag: string): Edit {
  const end = doc.end - 2;
  if (isOneLine(doc, file)) return { offset: end, text: file.text[end - 1] === " " ? `${tag} ` : ` ${tag} ` };
  const indent = indentOf(file.text, end);
  if (indent !== undefined) return { offset: end, text: `* ${tag}\n${indent}` };
  const above = indentOf(file.text, doc.start) ?? "";
  return { offset: end, text: `\n${above} * ${tag}\n${above} ` };
}

/** Writes another text in the place of one. */
export function replaced({ start, end }: Place, text: string): Edit {
  return { offset: start, length: end - start, text };
}

/** Adds a text that the author fills in: in front of the tags of a comment, or in a comment of its own. */
export function stubText(node: ts.Node, doc: Doc | undefined, text: string): Edit {
  const edit = doc === undefined ? commentAbove(node, text) : { offset: doc.start + "/**".length, text: ` ${text}` };
  return { ...edit, choice: true };
}

function isOneLine(doc: Span, file: Pick<ts.SourceFile, "text">): boolean {
  return !/[\r\n]/.test(file.text.slice(doc.start, doc.end));
}

/** White space between the start of the line and an offset; `undefined` when code stands there. */
function indentOf(text: string, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && !/[\r\n\u2028\u2029]/.test(text.charAt(start - 1))) start--;
  const indent = text.slice(start, offset).replace("\uFEFF", "");
  return /^[ \t]*$/.test(indent) ? indent : undefined;
}
