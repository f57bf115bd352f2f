import { currentJob } from "../jobs/current-job.ts";
import { jsonSafeFields } from "../events/json-safe.ts";

/** Data beside the message of a log record. */
export type LogFields = Readonly<Record<string, unknown>>;

/** `log("done")` or `log({ rows: 3 }, "done")`. */
export interface LogMethod {
  (message: string): void;
  (fields: LogFields, message: string): void;
}

/** A structured logger; records go to stderr with the id of the job that they belong to. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
  /** The same logger with fields that every record gets. */
  child(fields: LogFields): Logger;
}

/** Allowed values of `PLATFORM_LOG_LEVEL`. */
export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR" | "CRITICAL";

type Method = "debug" | "info" | "warn" | "error" | "fatal";
const weights: Readonly<Record<Method, number>> = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };
const methodOf: Readonly<Record<LogLevel, Method>> = {
  DEBUG: "debug",
  INFO: "info",
  WARNING: "warn",
  ERROR: "error",
  CRITICAL: "fatal",
};

export interface LoggingOptions {
  readonly level?: LogLevel;
  /** Where lines go; default: stderr. */
  readonly write?: (line: string) => void;
}

interface LogRecord {
  readonly method: Method;
  readonly fields: LogFields;
  readonly message: string;
}

type Target = (record: LogRecord) => void;

/** The process has one log; this is its state, shared by all copies of the package. */
interface Logging {
  minimum: number;
  write: (line: string) => void;
  target: Target | undefined;
  waiting: LogRecord[];
  loading: Promise<void> | undefined;
}

const key: unique symbol = Symbol.for("tenon.logging");

/**
 * Sets logging up; call it once at the top of the entry. Level from `PLATFORM_LOG_LEVEL`, default `INFO`; throws an
 * `Error` when that is no level.
 */
export function loggingInit(options: LoggingOptions = {}): void {
  const logging = state();
  logging.minimum = weights[methodOf[options.level ?? parseLogLevel(process.env["PLATFORM_LOG_LEVEL"])]];
  logging.write = options.write ?? writeToStderr;
  logging.target = undefined;
  logging.loading = undefined;
}

/** A level by its name; throws an `Error` that lists the allowed ones. */
export function parseLogLevel(text: string | undefined): LogLevel {
  if (text === undefined || text === "") return "INFO";
  if (Object.hasOwn(methodOf, text)) return text as LogLevel;
  throw new Error(`PLATFORM_LOG_LEVEL is ${JSON.stringify(text)}; allowed: ${Object.keys(methodOf).join(", ")}`);
}

/** A logger with a name. Works anywhere; inside a job its records carry the job's id. */
export function getLogger(name: string): Logger {
  return makeLogger({ name });
}

/** Resolves when everything that was logged so far is written. */
export async function flushLogs(): Promise<void> {
  await state().loading;
}

function makeLogger(bindings: LogFields): Logger {
  const method =
    (level: Method): LogMethod =>
    (first: string | LogFields, message?: string) => {
      const logging = state();
      if (weights[level] < logging.minimum) return;
      const own = typeof first === "string" ? {} : jsonSafeFields(first);
      const job = currentJob.getStore();
      const context = job === undefined ? {} : { job_id: job.id, tool: job.tool.name };
      const fields = { time: new Date().toISOString(), ...context, ...bindings, ...own };
      log(logging, { method: level, fields, message: typeof first === "string" ? first : (message ?? "") });
    };
  return {
    debug: method("debug"),
    info: method("info"),
    warn: method("warn"),
    error: method("error"),
    fatal: method("fatal"),
    child: (fields) => makeLogger({ ...bindings, ...fields }),
  };
}

function log(logging: Logging, record: LogRecord): void {
  if (logging.target !== undefined) {
    logging.target(record);
    return;
  }
  logging.waiting.push(record);
  // pino costs 15 ms of start; most services say nothing before they serve.
  logging.loading ??= loadTarget(logging);
}

async function loadTarget(logging: Logging): Promise<void> {
  const { makePinoTarget } = await import("./pino-target.ts");
  logging.target = makePinoTarget((line) => logging.write(line));
  for (const record of logging.waiting.splice(0)) logging.target(record);
}

function state(): Logging {
  const holder = globalThis as { [key]?: Logging };
  return (holder[key] ??= createState());
}

function createState(): Logging {
  const logging: Logging = {
    minimum: weights.info,
    write: writeToStderr,
    target: undefined,
    waiting: [],
    loading: undefined,
  };
  // A process that ends before pino is loaded must not take its last words with it.
  process.once("exit", () => {
    for (const { method, fields, message } of logging.waiting.splice(0)) {
      logging.write(`${JSON.stringify({ level: method, ...fields, msg: message })}\n`);
    }
  });
  return logging;
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
