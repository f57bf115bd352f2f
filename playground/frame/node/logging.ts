import { jsonSafeFields } from "../../../runtime/base/json-safe.ts";

/** Stand-in for the log of a service: lines go to the page. */
type Level = "DEBUG" | "INFO" | "WARN" | "ERROR" | "FATAL";
type Write = (...given: readonly unknown[]) => void;

interface Logger {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
  child(fields: object): Logger;
}

/** A line of the log. */
export interface LogLine {
  readonly time: number;
  readonly level: Level;
  readonly name: string;
  readonly message: string;
  readonly fields: object;
}

const lines: LogLine[] = [];

/** The lines so far; a worker runs one job, and ends with it. */
export function logLines(): readonly LogLine[] {
  return lines;
}

export function loggingInit(): void {}

export function getLogger(name: string): Logger {
  return loggerOf(name, {});
}

export function getEventLogger(): Logger {
  return loggerOf("event", {});
}

function loggerOf(name: string, own: object): Logger {
  const at =
    (level: Level): Write =>
    (...given) => {
      const [first, second] = given;
      const message = String(typeof first === "string" ? first : (second ?? (first instanceof Error && first.message)));
      const fields = first instanceof Error ? { error: first.stack ?? first.message } : first;
      const rest = typeof fields === "object" && fields !== null ? fields : {};
      if (name !== "event")
        lines.push({ time: Date.now(), level, name, message, fields: jsonSafeFields({ ...own, ...rest }) });
    };
  return {
    debug: at("DEBUG"),
    info: at("INFO"),
    warn: at("WARN"),
    error: at("ERROR"),
    fatal: at("FATAL"),
    child: (fields) => loggerOf(name, { ...own, ...fields }),
  };
}

/** State of the log; there are no secrets to remove. */
export function logState(): object {
  return { minimum: Infinity, redactor: { known: (text: string) => text, event: (body: unknown) => body } };
}
