import type { ErrorKind } from "../../base/errors.ts";
import type { JobUrn } from "../../job/job.ts";
import type { JobStore, Lease, StoredOutcome, WriteAnswer } from "./job-store.ts";
import type { MaybePromise } from "./maybe-promise.ts";

/** A job that was ended because its workers were lost repeatedly, or because the build cannot continue it. */
export interface DeadLetter {
  readonly id: JobUrn;
  readonly tool: string;
  readonly owner?: string;
  /** Number of its last attempt. */
  readonly attempt: number;
  /** End of the job in milliseconds since 1970. */
  readonly endedAt: number;
  readonly error: { readonly kind: ErrorKind; readonly message: string };
  /** Details of the last worker's end, see {@link DeadLetters.lose}. Not for callers of the job. */
  readonly detail?: string;
}

/**
 * Optional interface of a store that outlives its workers. `tenon platform` lists the jobs that killed their workers,
 * and those whose stored results do not fit the build, and puts them back on request. Dead letters are stored longer
 * than the job's TTL.
 */
export interface DeadLetters {
  /** Ends the attempt of a dead worker at once; it counts like an expired lease. */
  lose(lease: Lease, detail: string): MaybePromise<WriteAnswer>;
  /** Lists dead letters, the latest first; at most `limit`, default 100. */
  deadLetters(limit?: number): MaybePromise<readonly DeadLetter[]>;
  /** Puts a dead letter back with all its attempts. `unknown`: there is no dead letter with this id. */
  redrive(id: JobUrn): MaybePromise<"ok" | "unknown">;
}

/** True for an outcome after which another build, or a new run from an earlier step, may succeed. */
export function endsDead(outcome: StoredOutcome): boolean {
  return outcome.state === "error" && outcome.error.kind === "outdated";
}

/** True for a store that keeps dead letters. */
export function hasDeadLetters(store: JobStore): store is JobStore & DeadLetters {
  return "deadLetters" in store && "redrive" in store && "lose" in store;
}
