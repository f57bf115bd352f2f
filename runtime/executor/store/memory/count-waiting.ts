import { weighJob } from "../weigh.ts";
import type { LiveJob } from "./live-job.ts";

/** A store that counts the memory of jobs which wait in it, and which no executor counts. */
export interface CountsWaiting {
  waitingBytes: number;
}

/** Counts a job that begins to wait, with its steps and messages, or again when these have changed. */
export function count(store: CountsWaiting, live: LiveJob, bytes?: number): void {
  const { job, kept } = live;
  const all = bytes ?? weighJob([job.input, ...(kept?.steps.values() ?? []), ...(kept?.messages ?? [])]);
  store.waitingBytes += all - live.bytes;
  live.bytes = all;
}
