import type { JsonObject } from "../../contract/contract.ts";
import type { ErrorKind } from "../../base/errors.ts";
import type { Problem } from "../../contract/contract.ts";
import type { JobCaller, JobState, JobUrn } from "../../job/job.ts";
import type { KeptParts, NewMessage, Parking, StepWrite, Waiting } from "../../job/steps/kept-step.ts";
import type { JobLimit } from "../../job/limits/job-limit.ts";
import type { Reply, Talk } from "../../job/question.ts";
import type { JobChange } from "./job-news.ts";
import type { ScheduleTable } from "./schedule-table.ts";

/** A store in this process answers at once; one across a network answers with a promise. */
export type MaybePromise<T> = T | Promise<T>;

/** A job as it is submitted. */
export interface NewJob {
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
  readonly limit?: JobLimit;
}

/** The right to write: every write after `claim` carries it. Writes of an earlier attempt are refused. */
export interface Lease {
  readonly id: JobUrn;
  /** From 1. */
  readonly attempt: number;
  /** Nonce of this claim. */
  readonly token: string;
}

/** A result or an error without streams, so that it can be read any number of times. */
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
  /** The public body, with timestamp and sequence. */
  readonly body: JsonObject;
}

export interface JobRecord {
  readonly id: JobUrn;
  readonly tool: string;
  readonly state: JobState;
  readonly owner?: string;
  /** Digest of the request body, when the caller gave a key. */
  readonly digest?: string;
  /** Number of claims, without released ones. */
  readonly attempt: number;
  /** As it was submitted. */
  readonly traceparent?: string;
  /** Set once the job has ended; never changes afterwards. */
  readonly outcome?: StoredOutcome;
  readonly events: readonly StoredEvent[];
  /** Questions of the job to its client, until it has ended. */
  readonly talk?: Talk;
  /** Everything that an ended job has kept, in a store that keeps it beside its record; ask {@link JobStore.recall}. */
  readonly kept?: KeptParts & { readonly job: NewJob };
  /** Set while the job is parked, or waits for its turn. */
  readonly waiting?: Waiting;
  /** The answers of {@link JobStore.answer}, in the order in which they came. */
  readonly replies?: readonly Reply[];
}

/** `existing`: this id or key is known, and the record is of that job. `conflict`: same key or id, other request. */
export type SubmitAnswer =
  /** Has a lease when the submitter asked for one, unless the job waits for its turn. */
  | { readonly kind: "created"; readonly lease?: Lease; readonly waiting?: Waiting }
  | { readonly kind: "existing"; readonly record: JobRecord }
  | { readonly kind: "conflict" };

export interface ClaimOptions {
  readonly seconds: number;
  readonly id?: JobUrn;
  readonly tools?: readonly string[];
  /** Passes jobs over that have lost all attempts but the last one; not for a job by its id. */
  readonly withoutSuspects?: boolean;
  /** Name of the worker that will run the job, for people. */
  readonly worker?: string;
}

/** True for a job in its last attempt that has lost all earlier ones: it may be what ended their processes. */
export function isSuspect({ lease, job }: Claim): boolean {
  return lease.attempt > 1 && lease.attempt >= job.maxAttempts;
}

export interface Claim {
  readonly lease: Lease;
  readonly job: NewJob;
  /** Number of the last event of earlier attempts, 0 when there is none. The numbering continues after it. */
  readonly lastSequence: number;
}

/**
 * `stale`: a later attempt holds the job. `ended`: the job is over. `unknown`: the job does not exist or has expired.
 */
export type WriteAnswer = "ok" | "stale" | "ended" | "unknown";

/** `full`: answers to the questions of the job have reached their limit together. */
export type ReplyAnswer = "ok" | "ended" | "unknown" | "full";

/** `known`: a message with the same key of its sender is there. `full`: the job takes no more messages. */
export type SendAnswer = ReplyAnswer | "known";

/** Answer to a renewal: like {@link WriteAnswer}, or the job was cancelled. */
export type RenewAnswer = WriteAnswer | { readonly cancel: string };

/**
 * Storage of jobs that may be requested again. It has nine verbs, two more for questions,
 * five for what jobs keep and are sent, and two kinds of notifications; one
 * conformance suite tests every implementation. An acknowledged write is as durable as the store promises.
 */
export interface JobStore {
  /** True when other processes may run the jobs of this store, so that one that waits here can run there. */
  readonly isShared?: boolean;
  /** True while nothing is in it that could be run; unset where only a claim tells. */
  readonly isEmpty?: boolean;
  /** The schedules; a store of this process alone has none until the first one is planned. */
  schedules?: ScheduleTable;
  /**
   * Stores a job, once per id and per idempotency key. One above its limit waits until another of its key has ended,
   * or throws `too-many-requests` when it should not wait.
   * @param leaseSeconds The submitter runs the job itself: a new job is claimed in the same step, so that no other
   *   worker can
   * @param worker Who that is, for people
   */
  submit(job: NewJob, leaseSeconds?: number, worker?: string): MaybePromise<SubmitAnswer>;
  /** Gives a job to a worker: the named one, else the oldest waiting one (of `tools`). Counts an attempt. */
  claim(options: ClaimOptions): MaybePromise<Claim | undefined>;
  /** Extends a lease. */
  renew(lease: Lease, seconds: number): MaybePromise<RenewAnswer>;
  /** Adds events; an event with a known sequence is ignored. */
  progress(lease: Lease, events: readonly StoredEvent[]): MaybePromise<WriteAnswer>;
  /** Ends the job. Repeating the same outcome returns `ended`, and is harmless. */
  settle(lease: Lease, outcome: StoredOutcome): MaybePromise<WriteAnswer>;
  /** Releases the job without counting the attempt. It can be claimed again after `delay` seconds. */
  release(lease: Lease, delay: number): MaybePromise<WriteAnswer>;
  /**
   * Keeps steps, each once by its key: a later one replaces it. The job may lose so many attempts again as a new one;
   * it is taken up again from now on. What the last attempt of a cancelled job keeps is written as well, so that a
   * later look is true; the answer is `ended` all the same.
   */
  keep(lease: Lease, steps: readonly StepWrite[]): MaybePromise<WriteAnswer>;
  /** Releases the job until a time or a message, without counting the attempt. */
  park(lease: Lease, parking: Parking): MaybePromise<WriteAnswer>;
  /** Sends a message to a job that has not ended, and wakes it if it is parked for that. */
  send(id: JobUrn, message: NewMessage): MaybePromise<SendAnswer>;
  /** Everything that a job has kept and was sent, also after its end; empty for a job that does not exist. */
  recall(id: JobUrn): MaybePromise<KeptParts>;
  /** Stores a waiting job `as`, with the request of an ended one that has kept something, and these of its steps. */
  fork(id: JobUrn, as: JobUrn, keys: readonly string[]): MaybePromise<"ok" | "unknown">;
  /** Replaces what the job asks its client, as all processes read it. */
  ask(lease: Lease, talk: Talk): MaybePromise<WriteAnswer>;
  /** Adds answers of the client, for whoever runs the job now or next. At most `maxTalkBytes` of a job are taken. */
  answer(id: JobUrn, replies: readonly Reply[]): MaybePromise<ReplyAnswer>;
  /** Ends a job as cancelled. Its worker learns of it at its next renewal. */
  cancel(id: JobUrn, reason: string): MaybePromise<WriteAnswer>;
  get(id: JobUrn): MaybePromise<JobRecord | undefined>;
  /** Puts jobs with expired leases back, ends those without attempts left as `interrupted`, and drops expired ones. */
  reap(): MaybePromise<void>;
  /**
   * Tells of changes to a job, whichever process makes them; read the job for what has changed. A change between the
   * last read and this call is not reported. Returns a function that unsubscribes.
   */
  watch(id: JobUrn, listener: (change: JobChange) => void): () => void;
  /**
   * Tells of tools of which a job may be claimed that could not be before; undefined: of any tool. The end of a delay
   * is not reported. Returns a function that unsubscribes.
   */
  ready(listener: (tools: readonly string[] | undefined) => void): () => void;
  /** Waits for pending writes and releases all resources. */
  close(): MaybePromise<void>;
}

/** A store that knows why no job can be kept at present, for `/readyz`; undefined when all is well. */
export interface TellsTrouble {
  trouble(): MaybePromise<string | undefined>;
}
