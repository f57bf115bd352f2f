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
  /** As it was submitted. */
  readonly traceparent?: string;
  /** Start of its last attempt in milliseconds since 1970; absent while it waits. */
  readonly startedAt?: number;
  /** Milliseconds since 1970. */
  readonly endedAt?: number;
  /** True if its workers were lost repeatedly: see `DeadLetters`. */
  readonly isDead: boolean;
  /** The error that ended it; at most {@link longestBrief} characters of its message. */
  readonly error?: { readonly kind: ErrorKind; readonly message: string };
  /** The beginning of its request as JSON; absent if the store no longer has the request. */
  readonly request?: string;
}

/** Restricts a list to the jobs of one owner; `undefined`: jobs without an owner. */
export interface OwnedBy {
  readonly owner: string | undefined;
}

/** The error of a job as a list shows it: with the first problem of an invalid request. */
export function briefError({ kind, message, problems: [first] = [] }: StoredError): ListedJob["error"] {
  const text = first === undefined ? message : `${message} ${first.path}: ${first.message}`;
  return { kind, message: cutText(text, longestBrief) };
}

/** Optional interface of a store that can list its jobs for people. */
export interface ListsJobs {
  /** Jobs before position `before`, the latest first; at most `limit`. @param of Default: the jobs of all owners */
  list(before: number, limit: number, of?: OwnedBy): MaybePromise<readonly ListedJob[]>;
  /** One job, in the form of list entries. */
  listed(id: JobUrn): MaybePromise<ListedJob | undefined>;
}
