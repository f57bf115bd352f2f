import type { ErrorKind } from "../../base/errors.ts";
import type { JobUrn } from "../../job/job.ts";
import type { JobStore, Lease, MaybePromise, WriteAnswer } from "./job-store.ts";

/** A job that ended because its workers did not come back. */
export interface DeadLetter {
  readonly id: JobUrn;
  readonly tool: string;
  readonly owner?: string;
  /** Attempts that were lost. */
  readonly attempt: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly error: { readonly kind: ErrorKind; readonly message: string };
  /** What was known of the last worker's end, see {@link DeadLetters.lose}. Not for callers of the job. */
  readonly detail?: string;
}

/**
 * What a store offers beside the nine verbs when it outlives its workers: `tenon platform` lists the jobs that killed
 * their workers and puts them back. Dead letters stay longer than the job's TTL.
 */
export interface DeadLetters {
  /** Ends an attempt whose worker is known to be dead, at once; it costs as much as a lease that ran out. */
  lose(lease: Lease, detail: string): MaybePromise<WriteAnswer>;
  /** The latest first; at most `limit`, default 100. */
  deadLetters(limit?: number): MaybePromise<readonly DeadLetter[]>;
  /** Puts a dead letter back with all its attempts. `unknown`: there is none with this id. */
  redrive(id: JobUrn): MaybePromise<"ok" | "unknown">;
}

/** Whether a store keeps dead letters. */
export function hasDeadLetters(store: JobStore): store is JobStore & DeadLetters {
  return "deadLetters" in store && "redrive" in store && "lose" in store;
}
