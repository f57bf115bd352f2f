import { cutText } from "../../base/brief.ts";
import type { ErrorKind } from "../../base/errors.ts";
import type { JobState, JobUrn } from "../../job/job.ts";
import type { StoredOutcome } from "./job-store.ts";
import type { MaybePromise } from "./maybe-promise.ts";

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

/** Restricts a list. A store leaves out other jobs before it reads them as a whole. */
export interface ListFilter {
  /** Default: the jobs of all owners. */
  readonly of?: OwnedBy | undefined;
  /** A single job. */
  readonly id?: JobUrn | undefined;
  /** Names of tools. */
  readonly tools?: readonly string[] | undefined;
  /** State of the jobs; none has a state that does not exist. */
  readonly state?: string | undefined;
  /** Text that a job's `traceparent` contains. */
  readonly trace?: string | undefined;
  /** Maximum number of jobs of the owner that are examined, whether they are listed or not; default: the limit. */
  readonly most?: number | undefined;
}

/** A part of a list. */
export interface ListPage {
  readonly jobs: readonly ListedJob[];
  /** Position before which the list continues; undefined at its end. */
  readonly next?: number | undefined;
}

/** Shortens an error for a list; includes the first problem of an invalid request. */
export function briefError({ kind, message, problems: [first] = [] }: StoredError): NonNullable<ListedJob["error"]> {
  const text = first === undefined ? message : `${message} ${first.path}: ${first.message}`;
  return { kind, message: cutText(text, longestBrief) };
}

/** Optional interface of a store that can list its jobs for people. */
export interface ListsJobs {
  /** Lists jobs before position `before`, the latest first; at most `limit`. */
  list(before: number, limit: number, filter?: ListFilter): MaybePromise<ListPage>;
  /** One job, in the form of list entries. */
  listed(id: JobUrn): MaybePromise<ListedJob | undefined>;
}
