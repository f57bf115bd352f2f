import { cutText } from "../../base/brief.ts";
import type { ErrorKind } from "../../base/errors.ts";
import type { JobState, JobUrn } from "../../job/job.ts";
import type { MaybePromise, StoredOutcome } from "./job-store.ts";

/** The error that ended a job. */
export type StoredError = Exclude<StoredOutcome, { readonly state: "succeeded" }>["error"];

/** Maximum characters of an error and of a request in a list. */
export const longestBrief = 300;

/** A job in a list. */
export interface ListedJob {
  /** Position in the order of submission. */
  readonly seq: number;
  readonly id: JobUrn;
  readonly tool: string;
  readonly state: JobState;
  readonly attempt: number;
  /** Trace context in the form in which it was submitted. */
  readonly traceparent?: string;
  /** Start of the job's last attempt in milliseconds since 1970; absent while the job waits. */
  readonly startedAt?: number;
  /** End of the job in milliseconds since 1970. */
  readonly endedAt?: number;
  /** True if the workers of the job were lost repeatedly: see `DeadLetters`. */
  readonly isDead: boolean;
  /** Error that ended the job, with at most {@link longestBrief} characters of its message. */
  readonly error?: { readonly kind: ErrorKind; readonly message: string };
  /** Beginning of the job's request as JSON; absent if the store no longer has the request. */
  readonly request?: string;
}

/** Restricts a list to the jobs of one owner; `undefined`: jobs without an owner. */
export interface OwnedBy {
  readonly owner: string | undefined;
}

/** Shortens an error for a list; includes the first problem of an invalid request. */
export function briefError({ kind, message, problems: [first] = [] }: StoredError): ListedJob["error"] {
  const text = first === undefined ? message : `${message} ${first.path}: ${first.message}`;
  return { kind, message: cutText(text, longestBrief) };
}

/** Optional interface of a store that can list its jobs for people. */
export interface ListsJobs {
  /**
   * Lists jobs before position `before`, the latest first; at most `limit`.
   *
   * @param of Default: the jobs of all owners
   */
  list(before: number, limit: number, of?: OwnedBy): MaybePromise<readonly ListedJob[]>;
  /** One job, in the form of list entries. */
  listed(id: JobUrn): MaybePromise<ListedJob | undefined>;
}
