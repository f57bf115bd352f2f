import type { Job } from "../../../job/job.ts";
import { mostAhead } from "../../../job/limits/job-limit.ts";
import type { WaitsFor } from "../../../job/steps/waits-for.ts";
import { progressMessage } from "./forward-events.ts";

/** Describes a job in words: what it waits for, else its last progress; undefined if there is neither. */
export function statusText(job: Job): string | undefined {
  return waitText(job.waitsFor) ?? lastProgress(job);
}

/** Returns the text of the last event of a job; undefined if there is no event. */
export function lastProgress(job: Job): string | undefined {
  let text: string | undefined;
  job.onEvent((event) => (text = progressMessage(event)))();
  return text;
}

/** Describes the wait of a job in words; undefined if it does not wait. */
export function waitText(waits: WaitsFor | undefined): string | undefined {
  if (waits === undefined) return undefined;
  if ("message" in waits) return `Waits for the message ${waits.message}.`;
  if (!("limit" in waits)) return "Waits for a time.";
  const { limit, ahead, time } = waits;
  const start = time === undefined ? "" : ` It starts at ${time} at the earliest.`;
  const least = ahead < mostAhead ? "" : "at least ";
  return `Waits for its turn: ${least}${ahead} ${ahead === 1 ? "job is" : "jobs are"} before it, by ${limit}.${start}`;
}
