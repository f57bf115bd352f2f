import { logKey } from "../../contract/process-keys.ts";
import { secretsOf } from "./known-secrets.ts";
import { levelWeights, parseLogLevel, type LogLevel, type LogRecord, type LogTarget } from "./log-record.ts";
import { chooseFormat, loadTarget, showsSource, type LogFormat } from "./log-target.ts";
import { codedVariants, createRedactor, type Redactor } from "./redact.ts";

/** State of the process's log, shared by all copies of the package. */
export interface LogState {
  minimum: number;
  format: LogFormat;
  showsSource: boolean;
  write: (line: string) => void;
  redactor: Redactor;
  /** Secrets that were found after the start, in addition to those of the environment; the last used one is last. */
  readonly learned: Set<string>;
  /** Passes learned secrets on: the main thread writes the errors and events of this thread's jobs. */
  passSecret: ((secret: string) => void) | undefined;
  target: LogTarget | undefined;
  /** Records, or functions that make them, buffered until the target is loaded. */
  waiting: (LogRecord | (() => LogRecord))[];
  loading: Promise<void> | undefined;
  /** Further receivers of records, such as the export of telemetry. */
  readonly listeners: Set<LogTarget>;
  /** Weights of the levels at which records were logged before `loggingInit`. */
  readonly early: Set<number>;
  /** True after a call of `loggingInit`. */
  initialised: boolean;
}

/** Maximum number of learned secrets: keys that a function makes anew for each request must not slow the log down. */
const mostLearned = 100;
/** Milliseconds for which the first record is buffered. */
const firstPatience = 20;

/** The log of the process, created on first use. */
export function logState(): LogState {
  const holder = globalThis as { [logKey]?: LogState };
  return (holder[logKey] ??= createState());
}

/** Opens the log anew, with settings from the environment and the options. */
export function openLog(
  state: LogState,
  options: { readonly level?: LogLevel; readonly write?: (line: string) => void },
): void {
  const { env, stderr } = process;
  state.minimum = levelWeights[options.level ?? levelOf(env["PLATFORM_LOG_LEVEL"])];
  state.write = options.write ?? writeToStderr;
  state.format =
    options.write === undefined
      ? chooseFormat({
          format: env["PLATFORM_LOG_FORMAT"],
          // The order avoids reading `process.stdout` if possible, since Node creates a stream when its property is
          // first read.
          isTerminal: stderr.isTTY && process.stdout.isTTY,
          noColour: (env["NO_COLOR"] ?? "") !== "",
        })
      : { kind: "json" };
  state.showsSource = showsSource(state.format);
  state.redactor = redactorOf(state);
  state.target = undefined;
  state.loading = state.waiting.length === 0 ? undefined : load(state);
}

/** Adds a secret that is not in the environment, so that no log line shows it. */
export function addSecret(secret: string): void {
  const state = logState();
  const { learned } = state;
  const isKnown = learned.delete(secret);
  learned.add(secret);
  state.passSecret?.(secret);
  if (isKnown) return;
  const [oldest] = learned;
  if (learned.size > mostLearned && oldest !== undefined) learned.delete(oldest);
  state.redactor = redactorOf(state);
}

function redactorOf({ learned }: Pick<LogState, "learned">): Redactor {
  return createRedactor([...secretsOf(process.env), ...[...learned].flatMap(codedVariants)]);
}

/** Writes a record once the target is loaded, and passes it to the listeners. Never throws. */
export function writeRecord(state: LogState, record: LogRecord): void {
  if (state.target !== undefined) state.target(record);
  else {
    state.waiting.push(record);
    state.loading ??= loadSoon(state);
  }
  for (const listener of state.listeners) listener(record);
}

/** Writes a record of constant data. The record is only created when it is written, after a first answer. */
export function writeRecordLater(state: LogState, make: () => LogRecord): void {
  if (state.target !== undefined || state.listeners.size > 0) {
    writeRecord(state, make());
    return;
  }
  state.waiting.push(make);
  state.loading ??= loadSoon(state);
}

/** Empties the buffer of records, and returns them. */
function takeWaiting(state: LogState): readonly LogRecord[] {
  return state.waiting.splice(0).map((record) => (typeof record === "function" ? record() : record));
}

/**
 * Loads the target after a short delay. Loading includes a library and eight modules of Node, which takes longer than a
 * first request, so the request is answered first.
 */
async function loadSoon(state: LogState): Promise<void> {
  // The timer is not unreferenced: a flush at the end of the process waits for it when nothing else keeps the process
  // alive.
  await new Promise((resolve) => setTimeout(resolve, firstPatience));
  // `loggingInit` may have begun to load the target meanwhile.
  if (state.target === undefined) await load(state);
}

/** Passes the records of this thread to another target, buffered ones first, and secrets that the thread learns. */
export function redirectLog(state: LogState, target: LogTarget, passSecret: (secret: string) => void): void {
  state.passSecret = passSecret;
  // A new format object makes a target that is still loading obsolete.
  state.format = { ...state.format };
  state.target = target;
  for (const record of takeWaiting(state)) target(record);
}

async function load(state: LogState): Promise<void> {
  const { format } = state;
  const write = (line: string): void => state.write(line);
  let target: LogTarget;
  try {
    target = await loadTarget(format, write);
  } catch {
    // Plain lines are written until the format is known: an invalid format ends the start, and earlier records must not
    // be lost.
    target = (record) => write(plainLine(record));
  }
  if (state.format !== format) return;
  state.target = target;
  for (const record of takeWaiting(state)) target(record);
}

function createState(): LogState {
  const state: LogState = {
    minimum: levelWeights.INFO,
    format: { kind: "json" },
    showsSource: false,
    write: writeToStderr,
    redactor: createRedactor([]),
    learned: new Set(),
    passSecret: undefined,
    target: undefined,
    waiting: [],
    loading: undefined,
    listeners: new Set(),
    early: new Set(),
    initialised: false,
  };
  openLog(state, {});
  // A process that ends before the target is loaded must still write its last records.
  process.once("exit", () => {
    for (const record of takeWaiting(state)) state.write(plainLine(record));
  });
  // Errors of standard error are ignored: a reader of the log that has disconnected is not a reason to stop.
  process.stderr.on("error", () => {});
  return state;
}

function plainLine({ level, time, name, fields, message }: LogRecord): string {
  return `${JSON.stringify({ level, time: new Date(time).toISOString(), name, ...fields, msg: message })}\n`;
}

/** Returns the level. For an invalid level, returns the default: the start will end with a separate error line. */
function levelOf(text: string | undefined): LogLevel {
  try {
    return parseLogLevel(text);
  } catch {
    return "INFO";
  }
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
