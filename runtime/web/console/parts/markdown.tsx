import type { ComponentChildren, VNode } from "preact";
import { Code } from "./code.tsx";
import { later } from "./later.tsx";
import { useLongText } from "./long-text.tsx";

const TextTable = later(async () => (await import("./text-table.tsx")).TextTable);

/** Maximum characters of a text that are shown at first. */
const longest = 20_000;

interface Block {
  readonly kind: "code" | "heading" | "list" | "quote" | "rule" | "table" | "text";
  readonly lines: string[];
}

const [fence, listItem] = [/^\s*```/, /^\s*(?:[-*+]|\d+[.)])\s+/];
/** Matches the line below the head of a table, which has a bar between columns, or around the only one. */
const belowHead = /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/;

/**
 * Shows an author's text: paragraphs, headings, lists, tables, quotes, code, emphasis and links of Markdown. It makes
 * elements, never HTML from text, and links only to http and https, so that no text can run. A picture is a link to it,
 * since the page loads nothing from elsewhere.
 */
export function Markdown({ text }: { readonly text: string }): VNode {
  const [shown, rest] = useLongText(text, longest);
  return (
    <div class="markdown">
      {blocksOf(shown).map((block) => renderBlock(block))}
      {rest}
    </div>
  );
}

/** True for a text with Markdown syntax: headings, lists, tables, quotes, code, emphasis, links. */
export function isMarkdown(text: string): boolean {
  const start = text.slice(0, longest);
  return (
    /^(?:#{1,6} |[-*+] |\d+\. |```|> )/m.test(start) ||
    start.search(marks) >= 0 ||
    start.split("\n").some((line) => belowHead.test(line.trim()))
  );
}

/** Returns the beginning of the first paragraph of a Markdown text, without its syntax characters. */
export function briefText(text: string): string {
  const blocks = blocksOf(text.slice(0, 1000));
  const { lines } = blocks.find(({ kind }) => kind === "text") ?? blocks[0] ?? { lines: [] };
  const said = lines.join(" ").replace(/^(?:(?:[#>]+|[-*+]|\d+[.)])\s+)+/, "");
  return said.replace(marks, "$1$2$3$4$5").slice(0, 120);
}

/** Joins lines of one kind. The lines of code have no fences. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  const lines = text.replaceAll("\r", "").split("\n");
  for (const [index, line] of lines.entries()) {
    if (open?.kind === "code") {
      if (fence.test(line)) open = undefined;
      else open.lines.push(line);
      continue;
    }
    const kind = kindOf(line, lines[index + 1] ?? "", open?.kind);
    if (kind !== undefined && kind === open?.kind && kind !== "heading" && kind !== "rule") open.lines.push(line);
    else {
      open = kind && { kind, lines: kind === "code" ? [] : [line] };
      if (open) blocks.push(open);
    }
  }
  return blocks;
}

/** Kind of a line; undefined for an empty one. `open`: kind of the block before it. */
function kindOf(line: string, next: string, open: Block["kind"] | undefined): Block["kind"] | undefined {
  if (line.trim() === "") return undefined;
  if (fence.test(line)) return "code";
  if (/^#{1,6}\s/.test(line)) return "heading";
  if (line.startsWith(">")) return "quote";
  if (line.includes("|") && (open === "table" || belowHead.test(next.trim()))) return "table";
  if (/^\s*(?:-\s*){3,}$|^\s*(?:\*\s*){3,}$/.test(line)) return "rule";
  return open === "list" || listItem.test(line) ? "list" : "text";
}

function renderBlock({ kind, lines }: Block): VNode {
  const [first = ""] = lines;
  switch (kind) {
    case "code":
      return <Code>{lines.join("\n")}</Code>;
    case "heading":
      return <b>{inline(first.replace(/^#+\s+/, ""))}</b>;
    case "rule":
      return <hr />;
    case "quote":
      // Quotes in a quote are one, so that no text nests elements without end.
      return (
        <blockquote>
          {blocksOf(lines.map((line) => line.replace(/^[>\s]+/, "")).join("\n")).map((block) => renderBlock(block))}
        </blockquote>
      );
    case "table":
      return <TextTable lines={lines} inline={inline} />;
    case "list":
      return <TextList lines={lines} />;
    default:
      return <p>{inline(lines.join("\n"))}</p>;
  }
}

/** A list with the lists in its entries, whose lines begin further to the right. */
function TextList({ lines }: { readonly lines: readonly string[] }): VNode {
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
      {inner.length > 0 && <TextList lines={inner} />}
    </li>
  ));
  // A list that a paragraph interrupts goes on with its own number.
  return /^\s*\d/.test(first) ? <ol start={Number.parseInt(first, 10)}>{items}</ol> : <ul>{items}</ul>;
}

const marks =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|\*([^*\n]{1,500})\*|~~([^~\n]{1,500})~~|!?\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,500})\)/g;

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, code, strong, emphasis, struck, label, address] = match;
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (strong !== undefined) parts.push(<strong>{strong}</strong>);
    else if (emphasis !== undefined) parts.push(<em>{emphasis}</em>);
    else if (struck !== undefined) parts.push(<s>{struck}</s>);
    else
      parts.push(
        <a href={address ?? ""} target="_blank" rel="noreferrer noopener">
          {label}
        </a>,
      );
  }
  parts.push(text.slice(end));
  return parts;
}
