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
  /** As it was submitted. */
  readonly traceparent?: string;
  /** Start of its last attempt in milliseconds since 1970; absent while it waits. */
  readonly startedAt?: number;
  /** Milliseconds since 1970. */
  readonly endedAt?: number;
  /** Its workers were lost repeatedly: see `DeadLetters`. */
  readonly isDead: boolean;
}

/** Only the jobs of one owner; `undefined`: those without one. */
export interface OwnedBy {
  readonly owner: string | undefined;
}

/** Optional interface of a store that can list its jobs for people. */
export interface ListsJobs {
  /** The latest first, before position `before`; at most `limit`. @param of Default: the jobs of all owners */
  list(before: number, limit: number, of?: OwnedBy): MaybePromise<readonly ListedJob[]>;
  /** One job, in the form of the list. */
  listed(id: JobUrn): MaybePromise<ListedJob | undefined>;
}
