import { textTags } from "./foreign-tags.ts";
import { isKnownTag, isMeant, modifierTags, ownTags } from "./tag-names.ts";

/** One tag of a comment with its text, for example `@minimum 1`. */
export interface DocTag {
  readonly name: string;
  /** Text after the name, dedented and trimmed; may have several lines. */
  readonly text: string;
  /** Offset of the `@` and length of `@name`, in the file. */
  readonly start: number;
  readonly length: number;
}

/** A TSDoc comment. */
export interface Doc {
  /** The text before the first block tag, as written. */
  readonly summary: string;
  readonly tags: readonly DocTag[];
  readonly start: number;
  readonly end: number;
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

interface Block {
  readonly name: string;
  readonly start: number;
  readonly lines: string[];
}

/**
 * Parses the comment between two offsets of a file. Block tags begin at the start of a line, or after white space when
 * they are known or cannot be prose. A modifier tag has no text of its own: the text after it continues the text before
 * it.
 */
export function parseDoc(source: string, start: number, end: number): Doc {
  const summary: Block = { name: "", start, lines: [] };
  const blocks: Block[] = [];
  let current = summary;
  let fence = false;
  for (const line of commentLines(source, start, end)) {
    if (/^\s*(```|~~~)/.test(line.text)) fence = !fence;
    let from = 0;
    for (const found of fence ? [] : tagsIn(line.text)) {
      current.lines.push(line.text.slice(from, found.at).trimEnd());
      const block: Block = { name: found.name, start: line.offset + found.at, lines: [] };
      blocks.push(block);
      from = found.at + found.name.length + 1;
      if (/[:=]/.test(line.text.charAt(from))) from += 1;
      if (textTags.has(found.name)) {
        current = summary;
        if (summary.lines.some((text) => text.trim() !== "")) summary.lines.push("");
        continue;
      }
      if (!modifierTags.has(found.name)) {
        current = block;
        continue;
      }
      // `@destructive false` turns a flag off.
      const flag = /^[ \t]+(true|false)(?=\s|$)/.exec(line.text.slice(from));
      if (flag !== null) {
        block.lines.push(flag[0]);
        from += flag[0].length;
      }
    }
    current.lines.push(line.text.slice(from));
  }
  return {
    summary: tidy(summary.lines),
    tags: blocks.map((block) => ({
      name: block.name,
      text: tidy(block.lines),
      start: block.start,
      length: block.name.length + 1,
    })),
    start,
    end,
  };
}

/** The lines of a comment without its stars, each with its offset in the file. */
function commentLines(source: string, start: number, end: number): readonly Line[] {
  const inside = source.slice(start + 3, source.startsWith("*/", end - 2) ? end - 2 : end);
  const lines: Line[] = [];
  let offset = start + 3;
  for (const [index, raw] of inside.split(/\r\n|[\n\r\u2028\u2029]/).entries()) {
    const margin =
      index === 0 ? (/^ ?/.exec(raw)?.[0].length ?? 0) : (/^[ \t]*\* ?|^[ \t]*/.exec(raw)?.[0].length ?? 0);
    lines.push({ text: raw.slice(margin).trimEnd(), offset: offset + margin });
    offset += raw.length + (source.startsWith("\r\n", offset + raw.length) ? 2 : 1);
  }
  return lines;
}

/** Tags of one line, outside code spans and inline tags. */
function tagsIn(line: string): readonly { readonly name: string; readonly at: number }[] {
  const found: { name: string; at: number }[] = [];
  if (!line.includes("@")) return found;
  for (const match of line.matchAll(/(?<=^|\s)@([A-Za-z][\w-]*)(?=[\s(:=]|$)/g)) {
    const name = match[1] ?? "";
    const before = line.slice(0, match.index);
    const after = line.slice(match.index + match[0].length);
    const first = before.trim() === "";
    // `@minimum: 1` and `@Min(1)` count as tags, which are then reported as invalid. Other words before such a
    // character are prose.
    if (/^[(:=]/.test(after) && (!isMeant(name) || (isKnownTag(name) && !ownTags.has(name)))) continue;
    if (!first && !isMeant(name) && !standsApart(before, after, found.at(-1)?.name)) continue;
    // Only `@resource` followed by a URI is the tag, since prose may mention a `@resource`.
    if (!first && name === "resource" && !/^\s+[a-z][\w+.-]*:/i.test(after)) continue;
    const open = before.lastIndexOf("{");
    if (open > before.lastIndexOf("}") || (before.match(/`/g)?.length ?? 0) % 2 === 1) continue;
    // Tags are not searched for in the text of a pattern, which may contain anything, even an `@`.
    if (found.at(-1)?.name === "pattern" && !/^(min|max|format|default|example|title|type)/.test(name)) continue;
    found.push({ name, at: match.index });
  }
  return found;
}

/** True for an unknown tag in the middle of a line that is probably not prose: it begins a sentence, or has a value. */
function standsApart(before: string, after: string, previous: string | undefined): boolean {
  const isBehindTag = previous !== undefined && (ownTags.has(previous) || !isKnownTag(previous));
  return isBehindTag || /[.!?)\]}"'`]\s*$/.test(before) || /^\s+(?:[-+]?\d|["'{[/]|(?:true|false)\b)/.test(after);
}

/** Joins lines, and removes their common indentation and surrounding empty lines. */
function tidy(lines: readonly string[]): string {
  const [first = "", ...rest] = lines;
  // Single lines are handled first, since most comments and nearly all tags have one line.
  if (rest.length === 0) return first.trim();
  const indents = rest.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return [first.trim(), ...rest.map((line) => line.slice(common).trimEnd())]
    .join("\n")
    .replace(/^\s*\n|\s+$/g, "")
    .replace(/\n{3,}/g, "\n\n");
}
