import type { ComponentChildren, VNode } from "preact";
import { Code } from "./code.tsx";
import { useLongText } from "./long-text.tsx";

/** Maximum characters of a text that are shown at first. */
const longest = 20_000;

/**
 * Shows an author's text: paragraphs, headings, lists, code, emphasis and links of Markdown. It makes elements, never
 * HTML from text, and links only to http and https, so that no text can run.
 */
export function Markdown({ text }: { readonly text: string }): VNode {
  const [shown, rest] = useLongText(text, longest);
  return (
    <div class="markdown">
      {splitBlocks(shown).map((block) => renderBlock(block))}
      {rest}
    </div>
  );
}

/** True for a text with Markdown syntax: headings, lists, code, emphasis, links. */
export function isMarkdown(text: string): boolean {
  const start = text.slice(0, longest);
  return /^(?:#{1,6} |[-*+] |\d+\. |```)/m.test(start) || start.search(marks) >= 0;
}

/** Returns a Markdown text without its syntax characters. */
export function plainText(text: string): string {
  return text.replace(marks, "$1$2$3$4");
}

function splitBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence = false;
  let current: string[] = [];
  const flush = (): void => {
    if (current.length > 0) blocks.push(current.join("\n"));
    current = [];
  };
  for (const line of text.replaceAll("\r", "").split("\n")) {
    if (/^\s*```/.test(line)) {
      if (!fence) flush();
      current.push(line);
      if (fence) flush();
      fence = !fence;
    } else if (!fence && line.trim() === "") flush();
    else current.push(line);
  }
  flush();
  return blocks;
}

function renderBlock(block: string): VNode {
  if (block.startsWith("```")) {
    return <Code>{block.replace(/^```[^\n]*\n?/, "").replace(/\n?```$/, "")}</Code>;
  }
  const heading = /^#{1,6}\s+(.*)$/s.exec(block)?.[1];
  if (heading !== undefined) return <b>{inline(heading)}</b>;
  const lines = block.split("\n");
  const items = lines.map((line) => /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)?.[1]);
  if (items[0] !== undefined) {
    const joined: string[] = [];
    for (const [index, line] of lines.entries()) {
      const item = items[index];
      if (item === undefined) joined.push(`${joined.pop() ?? ""} ${line.trim()}`);
      else joined.push(item);
    }
    const entries = joined.map((item) => <li>{inline(item)}</li>);
    return /^\s*\d/.test(block) ? <ol>{entries}</ol> : <ul>{entries}</ul>;
  }
  return <p>{inline(block)}</p>;
}

const marks =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|\*([^*\n]{1,500})\*|\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,500})\)/g;

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, code, strong, emphasis, label, address] = match;
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (strong !== undefined) parts.push(<strong>{strong}</strong>);
    else if (emphasis !== undefined) parts.push(<em>{emphasis}</em>);
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
