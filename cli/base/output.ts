import { styleText } from "node:util";
import { visibleText } from "../../runtime/base/visible-text.ts";
import { CommandError } from "./usage.ts";

/** True when people read a stream: it is a terminal, and plain text was not requested. */
export function isColoured(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return env.FORCE_COLOR !== undefined ? env.FORCE_COLOR !== "0" : stream.isTTY === true;
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colours text for standard error, to which all output for people goes. */
export function paint(style: Style, text: string): string {
  return isColoured(process.stderr) ? styleText(style, text, { validateStream: false }) : text;
}

/** Prints a line for people; standard output is reserved for data. */
export function say(line: string): void {
  process.stderr.write(`${harmless(line)}\n`);
}

/**
 * Makes a text safe for a terminal: parts of it come from services that are called, contracts, and tools. Colours stay;
 * other control characters are escaped.
 */
export function harmless(text: string): string {
  return text
    .split(colour)
    .map((part, index) => (index % 2 === 0 ? visibleText(part) : part))
    .join("");
}

const escape = "\u001B";
const colour = new RegExp(`(${escape}\\[[\\d;]{0,20}m)`);

/** Prints data for programs. */
export function printJson(value: unknown): void {
  printText(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints text for programs unchanged; on a terminal, control characters are escaped. */
export function printText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? harmless(text) : text);
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
