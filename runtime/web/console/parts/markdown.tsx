import type { ComponentChildren, VNode } from "preact";
import { Code } from "./code.tsx";
import { later } from "./later.tsx";
import { linked, Outside } from "./linked.tsx";
import { listItem } from "./list-item.ts";
import { useLongText } from "./long-text.tsx";

const TextList = later(async () => (await import("./text-list.tsx")).TextList);
const TextTable = later(async () => (await import("./text-table.tsx")).TextTable);

/** Maximum characters of a text that are shown at first. */
const longest = 20_000;

interface Block {
  readonly kind: "code" | "heading" | "list" | "quote" | "rule" | "table" | "text";
  readonly lines: string[];
}

const fence = /^\s*```/;
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
      return <TextList lines={lines} inline={inline} />;
    default:
      return <p>{inline(lines.join("\n"))}</p>;
  }
}

const marks =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|\*([^*\n]{1,500})\*|~~([^~\n]{1,500})~~|!?\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,500})\)/g;

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    parts.push(plain(text.slice(end, match.index)));
    end = match.index + match[0].length;
    const [, code, strong, emphasis, struck, label, address] = match;
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (strong !== undefined) parts.push(<strong>{plain(strong)}</strong>);
    else if (emphasis !== undefined) parts.push(<em>{plain(emphasis)}</em>);
    else if (struck !== undefined) parts.push(<s>{struck}</s>);
    else parts.push(<Outside to={address ?? ""}>{label}</Outside>);
  }
  parts.push(plain(text.slice(end)));
  return parts;
}

/** A text without marks, in which only addresses are links. */
function plain(text: string): ComponentChildren {
  return linked(text) ?? text;
}
