import type { JobStore, MaybePromise } from "./job-store.ts";

/** The jobs of one tool in a store. */
export interface ToolCounts {
  readonly tool: string;
  /** Jobs that could be claimed now; those that a delay holds back are not among them. */
  readonly waiting: number;
  /** Jobs with a lease. */
  readonly running: number;
  /** Dead letters. */
  readonly dead: number;
  /** Seconds for which one of them has been claimable, the longest among the first in line, 0 when none waits. */
  readonly oldestWaiting: number;
  /** Jobs above a limit, which nobody can claim yet; absent for 0. */
  readonly held?: number;
  /** Seconds for which the first of them has waited. */
  readonly oldestHeld?: number;
}

/** Optional interface of a store that can tell how much is to be done. */
export interface CountsJobs {
  /** Only tools that have such jobs; one read by index, however many jobs have finished. */
  counts(): MaybePromise<readonly ToolCounts[]>;
}

/** The counts of a store, none where it cannot count. */
export async function countsOf(store: JobStore & Partial<CountsJobs>): Promise<readonly ToolCounts[]> {
  return (await store.counts?.()) ?? [];
}
