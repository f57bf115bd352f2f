import type { JobState, JobUrn } from "../../job/job.ts";
import type { MaybePromise } from "./job-store.ts";

/** A job in a list. */
export interface ListedJob {
  /** Place in the order of submission. */
  readonly seq: number;
  readonly id: JobUrn;
  readonly tool: string;
  readonly state: JobState;
  readonly attempt: number;
  /** When its last attempt was given to a worker, in milliseconds since 1970; absent while it waits. */
  readonly startedAt?: number;
  /** Milliseconds since 1970. */
  readonly endedAt?: number;
  /** Its workers did not come back: see `DeadLetters`. */
  readonly isDead: boolean;
}

/** What a store offers beside the nine verbs when people look at it. */
export interface ListsJobs {
  /** The latest first, from before place `before`; at most `limit`. */
  list(before: number, limit: number): MaybePromise<readonly ListedJob[]>;
  /** One job as the list shows it. */
  listed(id: JobUrn): MaybePromise<ListedJob | undefined>;
}
