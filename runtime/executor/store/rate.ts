import type { JobRate } from "../../job/limits/job-limit.ts";

type Bucket = Pick<JobRate, "pace" | "burst">;

/*
 * Token buckets for rates. The state of a bucket is one number, `free`: the time at which the bucket is full again, in
 * milliseconds. The function of the PostgreSQL store computes the same.
 */

/** Tolerance for rounding errors, which must not delay a start. */
const rounding = 1e-6;

/**
 * Limits `free`, the time at which the bucket is full again. It is at least `now`, since a full bucket gains nothing,
 * and at most the time at which an empty bucket would be full: a clock may have been set back, or a rate raised.
 */
export function freeAt({ pace, burst }: Bucket, free: number, now: number): number {
  return Math.min(Math.max(free, now), now + burst * pace);
}

/** Number of jobs that may start now. */
export function startsNow(bucket: Bucket, free: number, now: number): number {
  const { pace, burst } = bucket;
  const room = (now + (burst - 1) * pace - freeAt(bucket, free, now)) / pace;
  return Math.max(0, Math.floor(room + rounding) + 1);
}

/** Returns the new value of `free` after a number of starts. */
export function afterStarts(bucket: Bucket, free: number, now: number, starts: number): number {
  return freeAt(bucket, free, now) + starts * bucket.pace;
}

/** Returns the time of a start that has `ahead` starts before it. */
export function startOf({ pace, burst }: Bucket, free: number, ahead: number): number {
  return free + (ahead + 1 - burst) * pace;
}
