import { stepCauseKey } from "../../runtime/contract/process-keys.ts";
import { isForeign } from "../../runtime/telemetry/log/fold-frames.ts";
import { paint, say, type Style } from "../base/output.ts";
import { plain, refusalText } from "./refusal-text.ts";

/** Parts of a job that `tenon dev` shows. */
export interface ShownJob {
  readonly tool: { readonly name: string };
  onEvent(listener: (event: { readonly body: Readonly<Record<string, unknown>> }) => void): unknown;
  onEnd(listener: (outcome: ShownOutcome) => void): void;
}

interface ShownOutcome {
  readonly state: string;
  readonly error?: {
    readonly kind?: string;
    readonly message: string;
    readonly cause?: unknown;
    readonly problems?: unknown;
  };
}

/** Maximum lines per second; further ones are counted, since the terminal must not slow down a load test. */
const linesPerSecond = 40;

const signs: Readonly<Record<string, readonly [sign: string, style: Style]>> = {
  succeeded: ["✓", "green"],
  failed: ["!", "yellow"],
  cancelled: ["–", "yellow"],
  error: ["✕", "red"],
};

/** Shows calls on the terminal: a line for each, its steps, and the line of the author's code where it failed. */
export function createCallLines(write: (line: string) => void = limitedLines()): (job: ShownJob) => void {
  return (job) => {
    const { name } = job.tool;
    const began = performance.now();
    const steps = new Map<string, number>();
    const time = (): string => paint("dim", new Date().toLocaleTimeString("en-GB"));
    const since = (from: number): string => paint("dim", duration(performance.now() - from));
    // The whole event, with the text of an error that callers do not get: the author reads these lines.
    job.onEvent(({ body: { $schema: schema, name: started, context, options, error } }) => {
      const kind = /step\.(start|finish|error)\.\d+$/.exec(String(schema))?.[1];
      const step = plain(started ?? context);
      const message = plain((options as { readonly message?: unknown } | null | undefined)?.message ?? error);
      if (kind === undefined) return;
      const from = steps.get(step) ?? began;
      if (kind === "start") steps.set(step, performance.now());
      const sign = kind === "start" ? paint("cyan", "●") : kind === "finish" ? paint("green", "✓") : paint("red", "✕");
      const took = kind === "start" ? "" : `  ${since(from)}`;
      write(`${time()}   ${sign} ${paint("dim", `${name} ›`)} ${step}${took}  ${paint("dim", message)}`.trimEnd());
    });
    job.onEnd(({ state, error }) => {
      // A job that is given up for new code, or at the end, is not one that failed.
      const isGivenUp = error?.kind === "draining";
      const shown = isGivenUp ? "interrupted" : state;
      const [sign, style] = signs[isGivenUp ? "cancelled" : state] ?? ["·", "dim"];
      const message = error === undefined ? "" : `  ${refusalText(error.message, error.problems)}`;
      write(`${time()} ${paint(style, sign)} ${paint("bold", name)} ${paint(style, shown)}  ${since(began)}${message}`);
      const frame = authorFrame(error?.cause);
      if (shown === "error" && frame !== undefined) write(`           ${paint("red", plain(frame))}`);
    });
  };
}

/** The first line of a stack that belongs to the author's code; for the error of a step, of what the step threw. */
export function authorFrame(thrown: unknown): string | undefined {
  const error = (thrown ?? {}) as Readonly<Record<PropertyKey, unknown>>;
  const { stack, message } = (error[stepCauseKey] ?? error) as Readonly<Record<string, unknown>>;
  if (typeof stack !== "string") return undefined;
  // A message may contain lines that look like frames.
  const own = typeof message === "string" ? stack.replace(message, "") : stack;
  const frames = own.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.find((line) => !isForeign(line))?.trim();
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Writes lines, up to a maximum per second. */
export function limitedLines(): (line: string) => void {
  let second = 0;
  let lines = 0;
  return (line) => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      if (lines > linesPerSecond) say(paint("dim", `… ${lines - linesPerSecond} more lines in that second`));
      second = now;
      lines = 0;
    }
    if (++lines <= linesPerSecond) say(line);
  };
}
