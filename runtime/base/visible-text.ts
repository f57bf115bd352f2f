/**
 * Characters that control a terminal, and those that show a text in another order than it has; tab and line feed stay.
 */
const hidden = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text for people in which characters that a terminal would obey are written as `\u001b`. */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same, with further lines indented: none can pass for a record of a log. */
export function visibleRecord(text: string): string {
  return visibleText(text).replaceAll("\n", "\n  ");
}

/** The same in one line, so that no text can pass for a line of its own. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", String.raw`\n`);
}
