import { visibleLine } from "../../runtime/base/visible-text.ts";
import { harmless, marked, type Style, withoutMarks } from "./colours.ts";
import { CommandError } from "./usage.ts";

export type { Style } from "./colours.ts";

/** True when people read a stream: it is a terminal, and plain text was not requested. */
export function isColoured(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return env.FORCE_COLOR !== undefined ? env.FORCE_COLOR !== "0" : stream.isTTY === true;
}

/** Colours text for people. */
export function paint(style: Style, text: string): string {
  return isColoured(process.stderr) ? marked(style, text) : text;
}

/** Prints text for people, which may be several lines; standard output is reserved for data. */
export function say(text: string): void {
  process.stderr.write(`${harmless(text)}\n`);
}

/** Prints one line for people; line ends in texts of services are escaped, so that they cannot make up lines. */
export function sayLine(line: string): void {
  say(visibleLine(line));
}

/**
 * Prints a row of a list on standard output. Texts of services can neither make up rows nor control a terminal, also
 * one that shows a pipe's output later; programs read the exact texts with `--json`.
 */
export function printRow(row: string): void {
  const line = visibleLine(row);
  process.stdout.write(`${isColoured(process.stdout) ? harmless(line) : withoutMarks(line)}\n`);
}

/** Prints data for programs. */
export function printJson(value: unknown): void {
  printText(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints text for programs unchanged; on a terminal, control characters are escaped. */
export function printText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? harmless(text) : withoutMarks(text));
}

/** Prints a content as it comes; on a terminal, control characters other than line feed and tab are escaped. */
export async function printContent(content: AsyncIterable<Uint8Array>): Promise<void> {
  if (!process.stdout.isTTY) {
    for await (const chunk of content) process.stdout.write(chunk);
    return;
  }
  const decoder = new TextDecoder();
  for await (const chunk of content) printText(decoder.decode(chunk, { stream: true }));
  printText(decoder.decode());
}

/** Refuses to print bytes on a terminal, which would execute some of them as commands. Throws a `CommandError`. */
export function refuseTerminal(content: string): void {
  if (process.stdout.isTTY) throw new CommandError(`${content}. Write the content into a file: -o FILE`);
}

/** Prints bytes for programs; on a terminal it throws a `CommandError`. */
export function printBytes(bytes: Uint8Array, type: string): void {
  refuseTerminal(`The result is ${bytes.length} bytes${type === "" ? "" : ` of ${type}`}`);
  process.stdout.write(bytes);
}

/** Formats a size for people, for example `82 kB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(2)} MB`;
}
