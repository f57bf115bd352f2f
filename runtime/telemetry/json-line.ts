import { pino } from "pino";
import { levelWeights } from "./log-record.ts";
import type { LogLevel, LogRecord } from "./log-record.ts";

/** Writes records as JSON lines: `level`, `time`, `name`, the record's own fields, `msg`. */
export function jsonLines(write: (line: string) => void): (record: LogRecord) => void {
  const logger = pino<LogLevel>(
    {
      level: "DEBUG",
      customLevels: levelWeights,
      useOnlyCustomLevels: true,
      base: null,
      timestamp: false,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return ({ level, time, name, fields, message }) =>
    logger[level]({ time: new Date(time).toISOString(), name, ...renamed(fields) }, message);
}

/** A field of the author's never stands twice in a line, which readers of JSON take in different ways. */
function renamed(fields: LogRecord["fields"]): LogRecord["fields"] {
  const clash = ["level", "time", "name", "msg"].filter((name) => Object.hasOwn(fields, name));
  if (clash.length === 0) return fields;
  const entries = Object.entries(fields).map(([name, value]) => [clash.includes(name) ? `${name}_` : name, value]);
  return Object.fromEntries(entries) as LogRecord["fields"];
}
