import type { JsonObject, JsonValue } from "../../contract/contract.ts";
import { splitErrors } from "./describe-thrown.ts";
import { levelWeights } from "./log-record.ts";
import type { LogRecord } from "./log-record.ts";
import type { PercentFormat } from "./percent-format.ts";

/** Layout of records: JSON lines, text for a terminal, or a percent-style format. */
export type LogFormat =
  | { readonly kind: "json" }
  | { readonly kind: "pretty"; readonly colours: boolean }
  | PercentLogFormat;

export interface PercentLogFormat {
  readonly kind: "percent";
  readonly text: string;
}

/** Writes one record. */
export type LogTarget = (record: LogRecord) => void;

/** Properties of the process that decide the format of the log. */
export interface LogSurroundings {
  readonly format: string | undefined;
  /** True when both are terminals: output to a file or a collector is JSON. */
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
      return percentLines((await import("./percent-format.ts")).parsePercentFormat(format.text), write);
  }
}

/** True for a format that shows the place of a record in the code. Finding it costs a stack trace. */
export function showsSource(format: LogFormat): boolean {
  return format.kind === "percent" && /%\((?:pathname|filename|module|lineno|funcName)\)/.test(format.text);
}

function percentLines({ format }: PercentFormat, write: (line: string) => void): LogTarget {
  return ({ time, level, name, message, fields, source }) => {
    const { job_id, tool, trace_id, span_id } = fields;
    const ids = { job_id: text(job_id), tool: text(tool), trace_id: text(trace_id), span_id: text(span_id) };
    const line = format({
      created: time,
      levelname: level,
      levelno: levelWeights[level],
      name,
      message: describeEvent(fields["event"]) ?? message,
      source,
      ...ids,
    });
    write(`${line}${splitErrors(fields).text}\n`);
  };
}

/** An event in one line: the last part of its schema, its name, its message and its other options. */
function describeEvent(event: JsonValue | undefined): string | undefined {
  if (!isObject(event)) return undefined;
  const { $schema, name, context, error, options } = event;
  const { message, ...more } = isObject(options) ? options : { message: options ?? undefined };
  const kind = /service\.event\.([\w.]+?)(?:\.\d+)?$/.exec(String($schema))?.[1] ?? $schema;
  const rest = Object.keys(more).length === 0 ? undefined : JSON.stringify(more);
  const parts = [kind, name ?? context, message ?? error, rest].filter((part) => part !== undefined && part !== null);
  return parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
