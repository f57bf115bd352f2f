import type { JobStore } from "./job-store.ts";
import type { MaybePromise } from "./maybe-promise.ts";

/** Numbers of one tool's jobs in a store. */
export interface ToolCounts {
  readonly tool: string;
  /** Jobs that could be claimed now, without those that have a delay. */
  readonly waiting: number;
  /** Number of jobs with a lease. */
  readonly running: number;
  /** Number of dead letters. */
  readonly dead: number;
  /** Seconds since the longest waiting job at the head of a queue became claimable; 0 if none waits. */
  readonly oldestWaiting: number;
  /** Number of jobs above a limit, which cannot be claimed yet; absent for 0. */
  readonly held?: number;
  /** Seconds for which the first held job has waited. */
  readonly oldestHeld?: number;
}

/** Optional interface of a store that can count its unfinished jobs and dead letters. */
export interface CountsJobs {
  /**
   * Counts the jobs of each tool that has unfinished jobs or dead letters. Only an index is read, so finished jobs cost
   * nothing.
   */
  counts(): MaybePromise<readonly ToolCounts[]>;
}

/** Returns the counts of a store; empty if it cannot count. */
export async function countsOf(store: JobStore & Partial<CountsJobs>): Promise<readonly ToolCounts[]> {
  return (await store.counts?.()) ?? [];
}
