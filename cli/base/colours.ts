import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { visibleText } from "../../runtime/base/visible-text.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/**
 * Begins a mark, which stands for a colour until the text is printed. Escape codes themselves would not do: a text of a
 * service may contain them, but it cannot guess this number. No part of a mark is a control character, so that a line
 * can be made visible after its words have been coloured.
 */
const sign = `\uE000${randomBytes(12).toString("hex")}:`;
const mark = new RegExp(`${sign}([\\d;]{0,20})m`, "g");
const escape = "\u001B";
const code = new RegExp(`${escape}\\[([\\d;]{0,20})m`, "g");

/** Colours a text by marks. */
export function marked(style: Style, text: string): string {
  const [begin, end] = inspect.colors[style] ?? [0, 0];
  return `${sign}${begin}m${text}${sign}${end}m`;
}

/** Lets the colours of a text pass: only for texts of this program, and of the user's own processes. */
export function withOwnColours(text: string): string {
  return text.replaceAll(code, `${sign}$1m`);
}

/** Removes marks, for output that goes to a file or a pipe. */
export function withoutMarks(text: string): string {
  return text.includes(sign) ? text.replaceAll(mark, "") : text;
}

/**
 * Makes a text safe for a terminal: parts of it come from services that are called, contracts, and tools. Marks become
 * colours; control characters are escaped, and so are colours that have no mark.
 */
export function harmless(text: string): string {
  const visible = visibleText(text);
  return visible.includes(sign) ? visible.replaceAll(mark, `${escape}[$1m`) : visible;
}
