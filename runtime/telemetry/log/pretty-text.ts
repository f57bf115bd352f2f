import { prettyFactory } from "pino-pretty";
import { splitErrors } from "./describe-thrown.ts";
import { levelWeights } from "./log-record.ts";
import type { LogRecord } from "./log-record.ts";

/** Formats records for people at a terminal. */
export function prettyText(colorize: boolean): (record: LogRecord) => string {
  const pretty = prettyFactory({
    colorize,
    customLevels: Object.fromEntries(
      Object.entries(levelWeights).map(([name, weight]) => [name.toLowerCase(), weight]),
    ),
    customColors: { debug: "gray", info: "green", warning: "yellow", error: "red", critical: "bgRed" },
    translateTime: "SYS:HH:MM:ss.l",
    singleLine: true,
    errorLikeObjectKeys: [],
  });
  return ({ level, time, name, fields, message }) => {
    const { text, rest } = splitErrors(fields);
    return pretty({ ...rest, level: levelWeights[level], time, name, msg: message + text }) ?? "";
  };
}
