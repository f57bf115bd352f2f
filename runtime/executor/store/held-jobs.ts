import type { MaybePromise } from "./job-store.ts";

/** The jobs of one tool that wait for their turn. */
export interface HeldOfTool {
  readonly tool: string;
  readonly held: number;
  /** Seconds for which the first one has waited. */
  readonly oldestHeld: number;
}

/** The jobs of one key that wait for their turn. */
export interface HeldOfKey extends HeldOfTool {
  /** See `limitsOf`. */
  readonly key: string;
}

/** Optional interface of a store that can tell which jobs are above their limit. */
export interface TellsHeld {
  /** The tools that have such jobs, and the keys with the most of them, the longest line first. */
  heldJobs(keys: number): MaybePromise<{ readonly tools: readonly HeldOfTool[]; readonly keys: readonly HeldOfKey[] }>;
}

interface HeldRow {
  readonly tool: string;
  readonly key?: string;
  readonly held: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export function toHeld<R extends HeldRow>({ since, ...row }: R, now: number): Omit<R, "since"> & HeldOfTool {
  return { ...row, oldestHeld: Math.max(0, now - since) / 1000 };
}
