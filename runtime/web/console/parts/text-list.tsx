import type { ComponentChildren, VNode } from "preact";
import { listItem } from "./list-item.ts";

interface TextListProps {
  readonly lines: readonly string[];
  /** Shows the marks of an entry. */
  readonly inline: (text: string) => ComponentChildren;
}

/** A list with the lists in its entries, whose lines begin further to the right. */
export function TextList({ lines, inline }: TextListProps): VNode {
  const [first = ""] = lines;
  const entries: { text: string; readonly inner: string[] }[] = [];
  for (const line of lines) {
    const entry = entries.at(-1);
    const isItem = listItem.test(line);
    if (entry && (isItem ? line.search(/\S/) > first.search(/\S/) : entry.inner.length)) entry.inner.push(line);
    else if (entry && !isItem) entry.text += ` ${line.trim()}`;
    else entries.push({ text: line.replace(listItem, ""), inner: [] });
  }
  const items = entries.map(({ text, inner }) => (
    <li>
      {inline(text)}
      {inner.length > 0 && <TextList lines={inner} inline={inline} />}
    </li>
  ));
  // A list that a paragraph interrupts goes on with its own number.
  return /^\s*\d/.test(first) ? <ol start={Number.parseInt(first, 10)}>{items}</ol> : <ul>{items}</ul>;
}
