import { styleText } from "node:util";
import { visibleLine, visibleRecord, visibleText } from "../../base/visible-text.ts";
import { splitErrors } from "./describe-thrown.ts";
import type { LogLevel, LogRecord } from "./log-record.ts";

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<LogLevel, Style>> = {
  DEBUG: "gray",
  INFO: "green",
  WARNING: "yellow",
  ERROR: "red",
  CRITICAL: "bgRed",
};

/**
 * Formats records for people at a terminal: local time, level, name, message, fields as JSON, errors below. A library
 * for this line would be fifteen packages in every installation.
 */
export function prettyText(colorize: boolean): (record: LogRecord) => string {
  const paint = (style: Style, text: string): string =>
    colorize ? styleText(style, text, { validateStream: false }) : text;
  return ({ level, time, name, fields, message }) => {
    const { text, rest } = splitErrors(fields);
    const said = `[${localTime(time)}] ${paint(styles[level], level)} (${visibleLine(name)}): ${paint("cyan", visibleRecord(message + text))}`;
    return Object.keys(rest).length === 0
      ? `${said}\n`
      : `${said} ${paint("gray", visibleText(JSON.stringify(rest)))}\n`;
  };
}

function localTime(time: number): string {
  const date = new Date(time);
  const part = (value: number, digits = 2): string => String(value).padStart(digits, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => part(value)).join(":");
  return `${clock}.${part(date.getMilliseconds(), 3)}`;
}
