import { devHostKey } from "../../contract/process-keys.ts";
import type { JsonObject, JsonValue } from "../../contract/contract.ts";
import { isBytes, jsonSafe, printable, setField } from "../../base/json-safe.ts";
import { currentJob, type CurrentJob } from "../../job/current-job.ts";
import { callSite } from "./call-site.ts";
import { describeThrown } from "./describe-thrown.ts";
import { levelWeights, type LogLevel, type LogRecord } from "./log-record.ts";
import { logState, openLog, writeRecord, writeRecordLater } from "./log-state.ts";
import { originalPlace } from "./original-place.ts";

export type { LogLevel } from "./log-record.ts";

/** Structured data of a log record. */
export type LogFields = Readonly<Record<string, unknown>>;

/** `log("done")`, `log({ rows: 3 }, "done")`, or `log(error)` with or without a message. */
export interface LogMethod {
  (message: string): void;
  (fields: LogFields, message: string): void;
  (error: Error, message?: string): void;
}

/** A structured logger. Records go to stderr with the id of their job. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
  /** A logger that adds these fields to every record. */
  child(fields: LogFields): Logger;
}

export interface LoggingOptions {
  /** Default: `PLATFORM_LOG_LEVEL`, else `INFO`. */
  readonly level?: LogLevel;
  /**
   * Receiver of the lines, for tests. The lines are then JSON, and `loggingInit` may be called repeatedly. Default:
   * stderr.
   */
  readonly write?: (line: string) => void;
}

/** Names of internal loggers. */
const ownNames: ReadonlySet<string> = new Set(["tenon", "event"]);

/**
 * Sets logging up. Call it once, at the top of the entry; loggers of modules may be made earlier. The level comes from
 * `PLATFORM_LOG_LEVEL`, the format from `PLATFORM_LOG_FORMAT`. If records were logged before that its level treats
 * differently, the call still works, and the log warns with the position of the call. Invalid values of the two
 * variables end the start with one line.
 */
export function loggingInit(options: LoggingOptions = {}): void {
  const state = logState();
  const { initialised, minimum, early } = state;
  openLog(state, options);
  // Repeated calls are allowed in `tenon dev`, which runs the entry again after every change, and in tests, which set
  // `write`.
  if (options.write !== undefined || Reflect.get(globalThis, devHostKey) !== undefined) return;
  state.initialised = true;
  const isOther = [...early].some((weight) => weight < minimum !== weight < state.minimum);
  if (!isOther && !initialised) return;
  const source = callSite(loggingInit);
  const written = source && originalPlace(source);
  const place = written === undefined ? "" : ` at ${written.path}:${written.line}`;
  const reason = initialised
    ? "has been called already"
    : "must be called before the first record, which had another level";
  getLogger("tenon").warn(`loggingInit()${place} is late: it ${reason}. Call it once, at the top of the entry.`);
}

/** Creates a named logger. It works anywhere; inside a job its records carry the job's id. */
export function getLogger(name: string): Logger {
  return makeLogger(name, {});
}

/** Returns the logger of events, whose data never changes. */
export function getEventLogger(): Logger {
  return makeLogger("event", {}, true);
}

/** Resolves when all records so far are written. */
export async function flushLogs(): Promise<void> {
  await logState().loading;
}

/** @param isConstant True if logged data never changes, so that records can be created when they are written */
function makeLogger(name: string, bindings: LogFields, isConstant = false): Logger {
  const method = (level: LogLevel): LogMethod => {
    const log = (first: string | LogFields | Error, message?: string): void => {
      const state = logState();
      if (!state.initialised && !ownNames.has(name)) state.early.add(levelWeights[level]);
      if (levelWeights[level] < state.minimum) return;
      const job = currentJob.getStore();
      const [given, text] = readArguments(first, message);
      const token = job?.authorization;
      const { redactor } = state;
      const time = Date.now();
      const source = state.showsSource ? callSite(log) : undefined;
      const make = (): LogRecord => ({
        time,
        level,
        name,
        message: redactor.text(text, token),
        fields: redactor.fields(fieldsOf(job, ownNames.has(name), [bindings, given]), token),
        source,
      });
      if (isConstant) writeRecordLater(state, make);
      else writeRecord(state, make());
    };
    return log;
  };
  return {
    debug: method("DEBUG"),
    info: method("INFO"),
    warn: method("WARNING"),
    error: method("ERROR"),
    fatal: method("CRITICAL"),
    child: (fields) => makeLogger(name, { ...bindings, ...fields }),
  };
}

/** Fields and text of a call. JavaScript callers may pass anything, and that must not fail a job. */
function readArguments(first: unknown, message: unknown): readonly [given: object, text: string] {
  if (first instanceof Error) return [{ error: first }, message === undefined ? messageOf(first) : printable(message)];
  const text = message === undefined ? "" : printable(message);
  // Bytes are wrapped in a field, since otherwise each byte of the buffer would be logged as a field.
  if (isBytes(first)) return [{ value: first }, text];
  if (typeof first === "object" && first !== null) return [first, text];
  return [{}, typeof first === "string" ? first : message === undefined ? printable(first) : text];
}

function messageOf(error: Error): string {
  try {
    return String(error.message);
  } catch {
    return "";
  }
}

/** Fields of a record: the ids of its job, then the given fields. Of two equal names, the later one wins. */
function fieldsOf(job: CurrentJob | undefined, ours: boolean, given: readonly object[]): JsonObject {
  const ids = idsOf(job);
  const fields = { ...ids };
  for (const part of given) {
    for (const name of namesOf(part)) {
      const value = readField(part, name);
      // A field of the author must not replace an id: a logged request could otherwise forge the id of another job.
      const forged = !ours && Object.hasOwn(ids, name) && ids[name] !== value;
      if (value !== undefined) setField(fields, forged ? `${name}_` : name, value);
    }
  }
  return fields;
}

function namesOf(part: object): readonly string[] {
  try {
    return Object.keys(part);
  } catch {
    return [];
  }
}

/** Reads a field. Errors are described, since JSON keeps nothing of an error. */
function readField(part: object, name: string): JsonValue | undefined {
  try {
    const value: unknown = Reflect.get(part, name);
    return value === undefined ? undefined : jsonSafe(value, describeThrown);
  } catch {
    return "[not readable]";
  }
}

function idsOf(job: CurrentJob | undefined): Record<string, JsonValue> {
  if (job === undefined) return {};
  const { id, tool, traceparent } = job;
  const ids = { job_id: id, tool: tool.name };
  // Splits `00-<trace id>-<span id>-<flags>`. Without spans of its own, a job logs the caller's ids.
  return traceparent === undefined
    ? ids
    : { ...ids, trace_id: traceparent.slice(3, 35), span_id: traceparent.slice(36, 52) };
}
