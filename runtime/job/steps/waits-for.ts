import type { LimitLine } from "../limits/job-limit.ts";
import type { Waiting } from "./kept-step.ts";

/** A message, a time in RFC 3339, or jobs with the same limit, that a job waits for. */
export type WaitsFor = { readonly message: string; readonly until?: string } | { readonly time: string } | LimitLine;

/** The message or the time that a parked job waits for, or the line that it stands in, as callers see it. */
export function waitsFor(waiting: Waiting | undefined): WaitsFor | undefined {
  if (waiting === undefined) return undefined;
  const { line, waits } = waiting;
  if (line !== undefined) return line;
  const until = waiting.until === undefined ? undefined : new Date(waiting.until).toISOString();
  const [message] = waits;
  if (message === undefined) return until === undefined ? undefined : { time: until };
  return { message, ...(until !== undefined && { until }) };
}
