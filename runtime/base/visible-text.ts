/**
 * Control characters of a terminal, and characters that change the direction of a text; tab and line feed are allowed.
 */
// Spelled out: with `\p{Cc}` and its flag `u`, a line of the log takes three times as long.
// eslint-disable-next-line no-control-regex
const hidden = /[\0-\x08\v-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters in a text for people, as `\u001b`. */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Escapes control characters as {@link visibleText} does, and indents further lines, so that they cannot look like
 * separate log records.
 */
export function visibleRecord(text: string): string {
  return visibleText(text).replaceAll("\n", "\n  ");
}

/** Escapes control characters and line ends, so that a text cannot look like several lines. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", String.raw`\n`);
}
