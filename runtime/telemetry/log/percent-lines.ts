import type { JsonObject, JsonValue } from "../../contract/contract.ts";
import { visibleLine, visibleRecord } from "../../base/visible-text.ts";
import { splitErrors } from "./thrown-text.ts";
import { levelWeights, type LogTarget } from "./log-record.ts";
import { parsePercentFormat } from "./percent-format.ts";

/**
 * Records in a percent-style format, one line each; further lines of a record are indented. Fields for which the format
 * has no attribute stand behind the message, as JSON.
 */
export function percentLines(pattern: string, write: (line: string) => void): LogTarget {
  const { format } = parsePercentFormat(pattern);
  const showsJob = /%\((?:job_id|taskName)\)/.test(pattern);
  return ({ time, level, name, message, fields, source }) => {
    const { text: errors, rest } = splitErrors(fields);
    const { job_id, tool, trace_id, span_id, ...more } = rest;
    const ids = { job_id: text(job_id), tool: text(tool), trace_id: text(trace_id), span_id: text(span_id) };
    const event = describeEvent(rest["event"]);
    // A format without ids keeps the author's lines short. A record of the runtime may be about a job that it names.
    const shown = name === "tenon" && !showsJob && job_id !== undefined ? { job_id, ...more } : more;
    const line = format({
      created: time,
      levelname: level,
      levelno: levelWeights[level],
      name,
      message: visibleRecord(event ?? message) + (event === undefined ? fieldsBehind(shown) : ""),
      source,
      ...ids,
    });
    write(`${line}${visibleRecord(errors)}\n`);
  };
}

function fieldsBehind(fields: JsonObject): string {
  return Object.keys(fields).length === 0 ? "" : ` ${visibleLine(JSON.stringify(fields))}`;
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
