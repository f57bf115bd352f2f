import type { ts } from "ts-morph";

/** A replacement of a range of a source file. */
export interface SourceEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits to a range of a source file and returns its text. An edit inside another edit is ignored. */
export function editedText(source: ts.SourceFile, start: number, end: number, edits: readonly SourceEdit[]): string {
  let [text, at] = ["", start];
  const inside = edits.filter((edit) => edit.start >= start && edit.end <= end);
  for (const edit of inside.toSorted(inOrder)) {
    if (edit.start < at) continue;
    text += source.text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + source.text.slice(at, end);
}

/** Sorts edits by their start; at the same start, insertions come first, then the longest replacement. */
function inOrder(a: SourceEdit, b: SourceEdit): number {
  const rank = ({ start, end }: SourceEdit): number => (start === end ? -Infinity : -end);
  return a.start - b.start || Math.sign(rank(a) - rank(b)) || 0;
}

/** Removes the common indentation of all lines after the first. */
export function dedented(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const filled = rest.filter((line) => line.trim() !== "");
  const least = Math.min(...filled.map((line) => /^\s*/.exec(line)?.[0].length ?? 0));
  return [first, ...rest.map((line) => line.slice(Number.isFinite(least) ? least : 0))].join("\n");
}
