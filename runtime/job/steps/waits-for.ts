import type { LimitLine } from "../limits/job-limit.ts";
import type { Waiting } from "./kept-step.ts";

/** The reason why a job waits: a message, a time in RFC 3339, or other jobs with the same limit. */
export type WaitsFor = { readonly message: string; readonly until?: string } | { readonly time: string } | LimitLine;

/** Returns the reason why a job waits, in the form that callers see: a message, a time, or the queue of a limit. */
export function waitsFor(waiting: Waiting | undefined): WaitsFor | undefined {
  if (waiting === undefined) return undefined;
  const { line, waits } = waiting;
  if (line !== undefined) return line;
  const until = waiting.until === undefined ? undefined : new Date(waiting.until).toISOString();
  const [message] = waits;
  if (message === undefined) return until === undefined ? undefined : { time: until };
  return { message, ...(until !== undefined && { until }) };
}
