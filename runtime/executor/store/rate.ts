import type { JobRate } from "../../job/limits/job-limit.ts";

type Bucket = Pick<JobRate, "pace" | "burst">;

/*
 * A bucket is one number, `free`: the time at which it is full again, in milliseconds. Everything in here is the same
 * as in the function of the PostgreSQL store.
 */

/** Rounding must not cost a start. */
const rounding = 1e-6;

/** `free` as it counts now: a full bucket gains nothing; a clock that was set back and an older rate do not count. */
export function freeAt({ pace, burst }: Bucket, free: number, now: number): number {
  return Math.min(Math.max(free, now), now + burst * pace);
}

/** Number of jobs that may start now. */
export function startsNow(bucket: Bucket, free: number, now: number): number {
  const { pace, burst } = bucket;
  const room = (now + (burst - 1) * pace - freeAt(bucket, free, now)) / pace;
  return Math.max(0, Math.floor(room + rounding) + 1);
}

/** `free` after some starts. */
export function afterStarts(bucket: Bucket, free: number, now: number, starts: number): number {
  return freeAt(bucket, free, now) + starts * bucket.pace;
}

/** The time of the start that has so many before it. */
export function startOf({ pace, burst }: Bucket, free: number, ahead: number): number {
  return free + (ahead + 1 - burst) * pace;
}
