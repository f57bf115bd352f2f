import type { JsonObject } from "../../contract/contract.ts";
import type { RecordSource } from "./percent-format.ts";

/** Levels by the names that `PLATFORM_LOG_LEVEL` takes. */
export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR" | "CRITICAL";

/** Weights of the levels, as in Python's `logging`. */
export const levelWeights: Readonly<Record<LogLevel, number>> = {
  DEBUG: 10,
  INFO: 20,
  WARNING: 30,
  ERROR: 40,
  CRITICAL: 50,
};

/** One record, without secrets, ready for the log and for telemetry. */
export interface LogRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: LogLevel;
  readonly name: string;
  readonly message: string;
  /** `job_id`, `tool`, `trace_id` and `span_id` if known, then the author's fields. */
  readonly fields: JsonObject;
  /** Set only if the log format shows it. */
  readonly source: RecordSource | undefined;
}

/** A level by its name; throws an `Error` that lists the allowed ones. */
export function parseLogLevel(text: string | undefined): LogLevel {
  if (text === undefined || text === "") return "INFO";
  if (Object.hasOwn(levelWeights, text)) return text as LogLevel;
  throw new Error(`PLATFORM_LOG_LEVEL is ${JSON.stringify(text)}; allowed: ${Object.keys(levelWeights).join(", ")}`);
}

/** Writes one record. */
export type LogTarget = (record: LogRecord) => void;
