import { pino } from "pino";
import { visibleText } from "../../base/visible-text.ts";
import type { LogLevel, LogRecord } from "./log-record.ts";

const methods = {
  DEBUG: "debug",
  INFO: "info",
  WARNING: "warn",
  ERROR: "error",
  CRITICAL: "fatal",
} as const satisfies Record<LogLevel, string>;
const names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(methods).map(([name, method]) => [method, name]),
);

/** Writes records as JSON lines: `level`, `time`, `name`, the record's own fields, `msg`. */
export function jsonLines(write: (line: string) => void): (record: LogRecord) => void {
  const logger = pino(
    {
      level: "debug",
      base: null,
      timestamp: false,
      formatters: { level: (label) => ({ level: names[label] }) },
      // Errors are described already. pino uses the name `err` for them.
      serializers: { err: (described: unknown) => described },
    },
    // Escapes characters that could harm a terminal, or a program that reads U+2028 as the end of a line.
    { write: (line: string) => write(visibleText(line)) },
  );
  return ({ level, time, name, fields, message }) =>
    logger[methods[level]]({ time: new Date(time).toISOString(), name, ...renamed(fields) }, message);
}

/** Renames an author's field that has the name of a built-in one: readers of JSON treat duplicate keys differently. */
function renamed(fields: LogRecord["fields"]): LogRecord["fields"] {
  const clash = ["level", "time", "name", "msg"].filter((name) => Object.hasOwn(fields, name));
  if (clash.length === 0) return fields;
  const entries = Object.entries(fields).map(([name, value]) => [clash.includes(name) ? `${name}_` : name, value]);
  return Object.fromEntries(entries) as LogRecord["fields"];
}
