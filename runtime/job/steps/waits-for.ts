import type { WaitsFor } from "../job.ts";
import type { Waiting } from "./kept-step.ts";

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
