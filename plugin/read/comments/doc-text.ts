import { report, type Place, type Reading } from "../base/reading.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";

/** Summary and remarks of a comment as Markdown; empty without text. */
export function descriptionOf(reading: Reading, doc: Doc, place: Place): string {
  const remarks = doc.tags.filter((tag) => tag.name === "remarks").map((tag) => tag.text);
  const text = [doc.summary, ...remarks].filter((part) => part !== "").join("\n\n");
  return plainText(reading, text, { file: place.file, start: doc.start, end: doc.end });
}

/** The text of one tag as Markdown. */
export function tagText(reading: Reading, tag: DocTag, place: Place): string {
  return plainText(reading, tag.text, tagPlace(tag, place));
}

/** The place of a tag; `place` names the file. */
export function tagPlace(tag: DocTag, place: Place): Place {
  return { file: place.file, start: tag.start, end: tag.start + tag.length };
}

/** Resolves inline tags to text and refuses characters that people cannot see. */
export function plainText(reading: Reading, text: string, place: Place): string {
  const hidden = hiddenCharacter(text);
  if (hidden !== undefined) {
    report(reading, {
      code: "TN111",
      place: exactPlace(place, hidden),
      message: `The text has the hidden character ${codePoint(hidden)}.`,
      fix: "remove it",
    });
  }
  // The text is split, since tags in code are not resolved.
  const parts = text.split(/(```[\s\S]*?```|`[^`\n]*`)/);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : resolveInline(part)))
    .join("")
    .trim();
}

function resolveInline(text: string): string {
  return text
    .replace(
      /\{@(link|linkcode|linkplain)\s+([^{}|]+?)\s*(?:\|\s*([^{}]*?)\s*)?\}/g,
      (_, kind: string, target: string, label?: string) => linkText(kind, target, label),
    )
    .replace(/\{@(inheritDoc|label)\b[^{}]*\}/g, "")
    .replace(/\\([@{}])/g, "$1");
}

/** Converts `{@link X | label}` to text; a link to the address of a page becomes a Markdown link. */
function linkText(kind: string, target: string, label: string | undefined): string {
  const [first = "", ...words] = target.split(/\s+/);
  const shown = label ?? words.join(" ");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first)) return shown === "" ? first : `[${shown}](${first})`;
  const name = shown === "" ? first : shown;
  return kind === "linkcode" ? `\`${name}\`` : name;
}

/** Matches invisible characters: bidirectional controls, zero-width, tag and control characters, and others. */
const hiddenPattern =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]|(?<!\p{Extended_Pictographic}\uFE0F?[\u{1F3FB}-\u{1F3FF}]?)\u200D|\u200D(?!\p{Extended_Pictographic})/u;

/** Finds the first invisible character of a text. A joiner between two emoji does not count. */
function hiddenCharacter(text: string): string | undefined {
  return hiddenPattern.exec(text.replaceAll("\r", ""))?.[0];
}

function exactPlace(place: Place, character: string): Place {
  const start = place.file.text.indexOf(character, place.start);
  return start < 0 || start >= place.end ? place : { file: place.file, start, end: start + character.length };
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
