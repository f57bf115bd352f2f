import type { Edit } from "./diagnostic.ts";

/** Offsets of a comment, including its delimiters. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Adds a tag at the end of a comment. */
export function lastTag(doc: Span, { text }: { readonly text: string }, tag: string): Edit {
  const end = doc.end - 2;
  const isOneLine = !/[\r\n]/.test(text.slice(doc.start, doc.end));
  if (isOneLine) return { offset: end, text: text[end - 1] === " " ? `${tag} ` : ` ${tag} ` };
  const indent = indentOf(text, end);
  if (indent !== undefined) return { offset: end, text: `* ${tag}\n${indent}` };
  const above = indentOf(text, doc.start) ?? "";
  // The blank before the end of the comment is moved to the new last line.
  const offset = text.slice(0, end).trimEnd().length;
  return { offset, text: `\n${above} * ${tag}\n${above}${offset === end ? " " : ""}` };
}

/**
 * Returns the white space between the start of the line and an offset; `undefined` when there is code before the
 * offset.
 */
export function indentOf(text: string, offset: number): string | undefined {
  let start = offset;
  while (/[ \t]/.test(text.charAt(start - 1))) start--;
  const before = text.charAt(start - 1);
  return before === "" || /[\r\n\u2028\u2029\uFEFF]/.test(before) ? text.slice(start, offset) : undefined;
}
