import { weighLive, type LiveJob } from "./live-job.ts";

/** A store that counts the memory that no executor counts: jobs that wait in it, steps and messages. */
export interface CountsWaiting {
  waitingBytes: number;
}

/** Counts a job that begins to wait, with all that it has stored, or again when its request has changed. */
export function count(store: CountsWaiting, live: LiveJob): void {
  const bytes = weighLive(live);
  store.waitingBytes += bytes - live.bytes;
  live.bytes = bytes;
}

/** Counts a step or a message of a job, which no executor counts while the job runs either. */
export function countKept(store: CountsWaiting, live: LiveJob, bytes: number): void {
  store.waitingBytes += bytes;
  live.bytes += bytes;
  live.keptBytes += bytes;
}
