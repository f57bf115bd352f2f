import { secretsOf } from "./known-secrets.ts";
import { levelWeights, parseLogLevel } from "./log-record.ts";
import type { LogLevel, LogRecord } from "./log-record.ts";
import { chooseFormat, loadTarget, showsSource } from "./log-target.ts";
import type { LogFormat, LogTarget } from "./log-target.ts";
import { createRedactor, variants } from "./redact.ts";
import type { Redactor } from "./redact.ts";

/** The process has one log; this is its state, shared by all copies of the package. */
export interface LogState {
  minimum: number;
  format: LogFormat;
  showsSource: boolean;
  write: (line: string) => void;
  redactor: Redactor;
  /** Secrets that were met since the start, beside those of the environment. */
  readonly learned: Set<string>;
  target: LogTarget | undefined;
  /** Records that came before the target was loaded. */
  waiting: (LogRecord | (() => LogRecord))[];
  loading: Promise<void> | undefined;
  /** Who else takes records: the export of telemetry. */
  readonly listeners: Set<LogTarget>;
  /** An author has made a logger. */
  loggerMade: boolean;
  /** `loggingInit` was called. */
  initialised: boolean;
}

/** Milliseconds that the first record waits. */
const firstPatience = 20;
const key: unique symbol = Symbol.for("tenon.logging");

/** The log of the process, made when it is first asked for. */
export function logState(): LogState {
  const holder = globalThis as { [key]?: LogState };
  return (holder[key] ??= createState());
}

/** Begins the log anew, as the environment and the options say. */
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
          // A stream is made when it is first named.
          isTerminal: stderr.isTTY && process.stdout.isTTY,
          noColour: (env["NO_COLOR"] ?? "") !== "",
        })
      : { kind: "json" };
  state.showsSource = showsSource(state.format);
  state.redactor = createRedactor([...secretsOf(env), ...state.learned]);
  state.target = undefined;
  state.loading = state.waiting.length === 0 ? undefined : load(state);
}

/** Tells the log of a secret that the environment does not hold, so that no line shows it. */
export function addSecret(secret: string): void {
  const state = logState();
  for (const form of variants(secret)) state.learned.add(form);
  state.redactor = createRedactor([...secretsOf(process.env), ...state.learned]);
}

/** Writes a record as soon as the target is there, and tells the listeners. Never throws. */
export function writeRecord(state: LogState, record: LogRecord): void {
  if (state.target !== undefined) state.target(record);
  else {
    state.waiting.push(record);
    state.loading ??= loadSoon(state);
  }
  for (const listener of state.listeners) listener(record);
}

/** The same for a record of nothing that changes: it is made when it can be written, behind a first answer. */
export function writeRecordLater(state: LogState, make: () => LogRecord): void {
  if (state.target !== undefined || state.listeners.size > 0) {
    writeRecord(state, make());
    return;
  }
  state.waiting.push(make);
  state.loading ??= loadSoon(state);
}

/** The records that wait, which do so no longer. */
function takeWaiting(state: LogState): readonly LogRecord[] {
  return state.waiting.splice(0).map((record) => (typeof record === "function" ? record() : record));
}

/** The target loads a library and eight modules of Node: longer than a first request takes, which goes before. */
async function loadSoon(state: LogState): Promise<void> {
  // Whoever flushes the log at the end of the process waits for this, when nothing else holds it any more.
  await new Promise((resolve) => setTimeout(resolve, firstPatience));
  // Whoever set logging up meanwhile has begun to load.
  if (state.target === undefined) await load(state);
}

/** Gives the records of this thread to somebody else, who writes them. Those that wait go first. */
export function redirectLog(state: LogState, target: LogTarget): void {
  // A target that is being loaded finds another format, and gives way.
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
    // A format that cannot be read ends the start; what is logged until then shall not be lost.
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
    target: undefined,
    waiting: [],
    loading: undefined,
    listeners: new Set(),
    loggerMade: false,
    initialised: false,
  };
  openLog(state, {});
  // A process that ends before the target is loaded must not take its last words with it.
  process.once("exit", () => {
    for (const record of takeWaiting(state)) state.write(plainLine(record));
  });
  // Whoever read our log has gone; that is no reason to stop.
  process.stderr.on("error", () => {});
  return state;
}

function plainLine({ level, time, name, fields, message }: LogRecord): string {
  return `${JSON.stringify({ level, time: new Date(time).toISOString(), name, ...fields, msg: message })}\n`;
}

/** A bad level ends the start with a line of its own; until then there is a log. */
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
