import type { JsonObject, Problem } from "../../contract/contract.ts";
import type { ErrorKind } from "../../base/errors.ts";
import type { JobCaller, JobState, JobUrn } from "../../job/job.ts";
import type { JobAttempt } from "./attempts.ts";
import type { KeptParts, NewMessage, Parking, StepWrite, Waiting } from "../../job/steps/kept-step.ts";
import type { JobTurn } from "../../job/limits/job-limit.ts";
import type { Reply, Talk } from "../../job/question.ts";
import type { JobChange } from "./job-news.ts";
import type { ScheduleTable } from "./schedule-table.ts";
import type { MaybePromise } from "./maybe-promise.ts";

/** A job as it is submitted. */
export interface NewJob extends JobTurn {
  readonly id: JobUrn;
  readonly tool: string;
  /** Parsed JSON, so that another process can run the job. */
  readonly input: unknown;
  readonly owner?: string;
  /** The caller, so that another process runs the job for the same caller. */
  readonly caller?: JobCaller;
  readonly idempotency?: { readonly key: string; readonly digest: string };
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
  /** The client that the job can ask. */
  readonly talk?: Talk;
  /** Seconds that the finished job is kept. */
  readonly ttl: number;
  /** Maximum number of attempts; a crash in the last one ends the job. */
  readonly maxAttempts: number;
}

/** The right to write about a job: every write after `claim` carries it. Writes of an earlier attempt are refused. */
export interface Lease {
  readonly id: JobUrn;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Random token of this claim. */
  readonly token: string;
}

/** A result or an error without streams, so that it can be read repeatedly. */
export type StoredOutcome =
  | { readonly state: "succeeded"; readonly result: StoredResult }
  | {
      readonly state: "failed" | "error" | "cancelled";
      readonly error: {
        readonly kind: ErrorKind;
        readonly message: string;
        readonly problems?: readonly Problem[];
        /** Class name of the error, as the worker reported it. */
        readonly type?: string;
      };
    };

export type StoredResult =
  | { readonly kind: "json"; readonly json: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly contentType: string; readonly content: Uint8Array };

export interface StoredEvent {
  readonly sequence: number;
  /** Public body of the event, with timestamp and sequence. */
  readonly body: JsonObject;
}

export interface JobRecord {
  readonly id: JobUrn;
  readonly tool: string;
  readonly state: JobState;
  readonly owner?: string;
  /** Digest of the request body, when the caller gave a key. */
  readonly digest?: string;
  /** Number of claims, without those that were released. */
  readonly attempt: number;
  /** Trace context in the form in which it was submitted. */
  readonly traceparent?: string;
  /** Outcome; set once the job has ended, and never changed afterwards. */
  readonly outcome?: StoredOutcome;
  /** Milliseconds since 1970. */
  readonly endedAt?: number;
  readonly events: readonly StoredEvent[];
  /** Questions of the job to its client; absent after its end. */
  readonly talk?: Talk;
  /**
   * All stored steps and messages of an ended job, and its earlier attempts, if the store has them in its record;
   * otherwise use {@link JobStore.recall}.
   */
  readonly kept?: KeptParts & { readonly job: NewJob; readonly past?: readonly JobAttempt[] | undefined };
  /** Set while the job is parked or waits for its turn. */
  readonly waiting?: Waiting;
  /** The answers passed to {@link JobStore.answer}, in order of arrival. */
  readonly replies?: readonly Reply[];
}

/**
 * `existing`: a job with this id or key exists, and the record is that job's. `conflict`: the key or id exists, with
 * another request.
 */
export type SubmitAnswer =
  /** A new job was stored. It has a lease if the submitter requested one, unless the job waits for its turn. */
  | { readonly kind: "created"; readonly lease?: Lease; readonly waiting?: Waiting }
  | { readonly kind: "existing"; readonly record: JobRecord }
  | { readonly kind: "conflict" };

export interface ClaimOptions {
  readonly seconds: number;
  readonly id?: JobUrn;
  readonly tools?: readonly string[];
  /** True: skips jobs that have lost all attempts but the last one. Has no effect on a claim by id. */
  readonly withoutSuspects?: boolean;
  /** Name of the worker that will run the job, for people. */
  readonly worker?: string;
}

/**
 * True for a job in its last attempt that has lost all earlier attempts: it may be a poison job, which ends the
 * processes that run it.
 */
export function isSuspect({ lease, job }: Claim): boolean {
  return lease.attempt > 1 && lease.attempt >= job.maxAttempts;
}

export interface Claim {
  readonly lease: Lease;
  readonly job: NewJob;
  /** Number of the last event of earlier attempts, 0 if there is none. Further events are numbered after it. */
  readonly lastSequence: number;
}

/**
 * `stale`: a later attempt holds the job. `ended`: the job is over. `unknown`: the job does not exist or has expired.
 */
export type WriteAnswer = "ok" | "stale" | "ended" | "unknown";

/** `full`: the answers to the questions of the job have together reached their limit. */
export type ReplyAnswer = "ok" | "ended" | "unknown" | "full";

/** `known`: a message of this sender with the same key exists. `full`: the job accepts no more messages. */
export type SendAnswer = ReplyAnswer | "known";

/** Answer to a renewal: like {@link WriteAnswer}, or the job was cancelled. */
export type RenewAnswer = WriteAnswer | { readonly cancel: string };

/**
 * Storage of jobs that may be requested again. Besides nine basic methods there are two for questions, five for steps
 * and messages, and two kinds of notifications. One conformance suite tests every implementation. An acknowledged write
 * is as durable as the store promises.
 */
export interface JobStore {
  /**
   * True when other processes can run the jobs of this store, so that a job which waits here can run in another
   * process.
   */
  readonly isShared?: boolean;
  /** True while the store is known to have no claimable job; undefined if only a claim can show that. */
  readonly isEmpty?: boolean;
  /** Estimated bytes of the jobs that wait here with their requests; only of a store in memory. */
  readonly waitingBytes?: number;
  /** The schedules; a store in memory has no table until the first schedule is planned. */
  schedules?: ScheduleTable;
  /**
   * Stores a job, once per id and per idempotency key. A job above its limit waits until another job of its key has
   * ended; if it should not wait, `too-many-requests` is thrown.
   *
   * @param leaseSeconds Set if the submitter runs the job itself: a new job is claimed in the same step, so that no
   *   other worker can claim it
   * @param worker Name of the submitter as a worker, for people
   */
  submit(job: NewJob, leaseSeconds?: number, worker?: string): MaybePromise<SubmitAnswer>;
  /** Gives a job to a worker: the job of a given id, else the oldest waiting job (of `tools`). Counts an attempt. */
  claim(options: ClaimOptions): MaybePromise<Claim | undefined>;
  /** Extends a lease. */
  renew(lease: Lease, seconds: number): MaybePromise<RenewAnswer>;
  /** Adds events; an event whose number is known is ignored. */
  progress(lease: Lease, events: readonly StoredEvent[]): MaybePromise<WriteAnswer>;
  /** Ends the job. Repeating the same outcome returns `ended`, and has no effect. */
  settle(lease: Lease, outcome: StoredOutcome): MaybePromise<WriteAnswer>;
  /** Releases the job without counting the attempt. The job can be claimed again after `delay` seconds. */
  release(lease: Lease, delay: number): MaybePromise<WriteAnswer>;
  /**
   * Stores steps, each once by its key: a later write of a key replaces the earlier one. After that the job may again
   * lose as many attempts as a new job, and is resumed after a crash. Steps of the last attempt of a cancelled job are
   * stored as well, so that the history is complete; the answer is still `ended`.
   */
  keep(lease: Lease, steps: readonly StepWrite[]): MaybePromise<WriteAnswer>;
  /** Releases the job until a time or a message, without counting the attempt. */
  park(lease: Lease, parking: Parking): MaybePromise<WriteAnswer>;
  /** Sends a message to a job that has not ended, and wakes the job if it is parked for this message. */
  send(id: JobUrn, message: NewMessage): MaybePromise<SendAnswer>;
  /**
   * Returns all steps that a job has stored and all messages to it, also after its end; empty for a job that does not
   * exist.
   *
   * @param only If given, a store need not read the steps, which may be many
   */
  recall(id: JobUrn, only?: "messages"): MaybePromise<KeptParts>;
  /** Stores a new waiting job `as`, with the request and the given steps of an ended job that has stored steps. */
  fork(id: JobUrn, as: JobUrn, keys: readonly string[]): MaybePromise<"ok" | "unknown">;
  /** Replaces the questions of the job to its client; all processes see them. */
  ask(lease: Lease, talk: Talk): MaybePromise<WriteAnswer>;
  /**
   * Adds answers of the client, for the process that runs the job now or that will run it next. Accepts at most
   * `maxTalkBytes` for a job.
   */
  answer(id: JobUrn, replies: readonly Reply[]): MaybePromise<ReplyAnswer>;
  /** Ends a job as cancelled. Its worker is notified by the answer to its next renewal. */
  cancel(id: JobUrn, reason: string): MaybePromise<WriteAnswer>;
  get(id: JobUrn): MaybePromise<JobRecord | undefined>;
  /**
   * Puts jobs with expired leases back; if no attempt is left, ends them as `interrupted`. Drops expired jobs. Resolves
   * to true when there may be more to do than was done in one call.
   */
  reap(): MaybePromise<boolean | void>;
  /**
   * Subscribes to changes to a job by any process; the listener has to read the job to see the change. A change between
   * the last read and this call is not reported. Returns a function that unsubscribes.
   */
  watch(id: JobUrn, listener: (change: JobChange) => void): () => void;
  /**
   * Subscribes to newly claimable jobs. The listener gets the names of their tools; undefined means any tool. It is not
   * called for jobs that become claimable because their delay has ended. Returns a function that unsubscribes.
   */
  ready(listener: (tools: readonly string[] | undefined) => void): () => void;
  /** Waits for pending writes and releases all resources. */
  close(): MaybePromise<void>;
}

/**
 * Optional interface of a store that can explain, for `/readyz`, why no job can be stored at present; undefined if jobs
 * can be stored.
 */
export interface TellsTrouble {
  trouble(): MaybePromise<string | undefined>;
}
