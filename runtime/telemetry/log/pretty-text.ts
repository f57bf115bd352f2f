import { styleText } from "node:util";
import { visibleLine, visibleRecord } from "../../base/visible-text.ts";
import { splitErrors } from "./thrown-text.ts";
import { foldFrames, isForeign } from "./fold-frames.ts";
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
 * Formats records for people at a terminal: local time, level, name, message, fields as JSON, the place in the code
 * where it is known, errors below with calls of packages folded. Ids of job and trace are left out: other formats have
 * them. A library for this would add fifteen packages to every installation.
 */
export function prettyText(colorize: boolean): (record: LogRecord) => string {
  const paint = (style: Style, text: string): string =>
    colorize ? styleText(style, text, { validateStream: false }) : text;
  return ({ level, time, name, fields, message, source }) => {
    const { text, rest } = splitErrors(fields);
    const { job_id: _, trace_id: __, span_id: ___, ...shown } = rest;
    const more = [
      ...(Object.keys(shown).length === 0 ? [] : [visibleLine(JSON.stringify(shown))]),
      ...(source === undefined || isForeign(source.path)
        ? []
        : [`${visibleLine(shortPath(source.path))}:${source.line}`]),
    ];
    const head = `[${localTime(time)}] ${paint(styles[level], level)} (${visibleLine(name)}): ${paint("cyan", visibleRecord(message))}`;
    const below = visibleRecord(foldFrames(text));
    return `${[head, ...more.map((one) => paint("gray", one))].join(" ")}${below === "" ? "" : paint("cyan", below)}\n`;
  };
}

/** A path relative to the current folder, if it is inside of it. */
function shortPath(path: string): string {
  const folder = `${process.cwd()}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

function localTime(time: number): string {
  const date = new Date(time);
  const part = (value: number, digits = 2): string => String(value).padStart(digits, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => part(value)).join(":");
  return `${clock}.${part(date.getMilliseconds(), 3)}`;
}
