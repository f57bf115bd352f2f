import { styleText } from "node:util";

/** Whether people rather than programs read a stream: it is a terminal, and they have not asked for plain text. */
export function isColoured(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return env.FORCE_COLOR !== undefined ? env.FORCE_COLOR !== "0" : stream.isTTY === true;
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colours text for standard error, where everything for people goes. */
export function paint(style: Style, text: string): string {
  return isColoured(process.stderr) ? styleText(style, text, { validateStream: false }) : text;
}

/** One line for people; standard output is left to data. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Data for programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A size as people write it, for example `82 kB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(2)} MB`;
}
