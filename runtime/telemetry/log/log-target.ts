import type { LogTarget } from "./log-record.ts";

/** Layout of records: JSON lines, text for a terminal, or a percent-style format. */
export type LogFormat =
  | { readonly kind: "json" }
  | { readonly kind: "pretty"; readonly colours: boolean }
  | PercentLogFormat;

export interface PercentLogFormat {
  readonly kind: "percent";
  readonly text: string;
}

/** Properties of the process that determine the format of the log. */
export interface LogSurroundings {
  readonly format: string | undefined;
  /** True if both output streams are terminals: output to a file or a collector is JSON. */
  readonly isTerminal: boolean;
  readonly noColour: boolean;
}

/** Chooses the format: the configured one, text for people at a terminal, else JSON lines. */
export function chooseFormat({ format, isTerminal, noColour }: LogSurroundings): LogFormat {
  if (format !== undefined && format !== "") return { kind: "percent", text: format };
  return isTerminal ? { kind: "pretty", colours: !noColour } : { kind: "json" };
}

/** Loads the code of the format. pino costs 15 ms of start, and most services log nothing before they serve. */
export async function loadTarget(format: LogFormat, write: (line: string) => void): Promise<LogTarget> {
  switch (format.kind) {
    case "json":
      return (await import("./json-line.ts")).jsonLines(write);
    case "pretty": {
      const text = (await import("./pretty-text.ts")).prettyText(format.colours);
      return (record) => write(text(record));
    }
    case "percent":
      return (await import("./percent-lines.ts")).percentLines(format.text, write);
  }
}

/** True for a format that shows the position in the code. Finding it costs a stack trace. */
export function showsSource(format: LogFormat): boolean {
  return format.kind === "percent" && /%\((?:pathname|filename|module|lineno|funcName)\)/.test(format.text);
}
