import { waitText } from "../../../contract/wait-text.ts";
import type { Job } from "../../../job/job.ts";
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
