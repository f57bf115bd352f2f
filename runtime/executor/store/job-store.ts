import type { JsonObject } from "../../contract/contract.ts";
import type { ErrorKind } from "../../base/errors.ts";
import type { Problem } from "../../contract/contract.ts";
import type { JobCaller, JobState, JobUrn } from "../../job/job.ts";

/** A store that lives in this process answers at once; one across a network answers with a promise. */
export type MaybePromise<T> = T | Promise<T>;

/** A job as it is handed in. */
export interface NewJob {
  readonly id: JobUrn;
  readonly tool: string;
  /** Parsed JSON, so that another process can run the job. */
  readonly input: unknown;
  readonly owner?: string;
  /** Who called, so that another process runs the job for the same caller. */
  readonly caller?: JobCaller;
  readonly idempotency?: { readonly key: string; readonly digest: string };
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** Seconds that the finished job can be asked for. */
  readonly ttl: number;
  /** Attempts that the job may take; a crash in the last one ends it. */
  readonly maxAttempts: number;
}

/** The right to write: every write after `claim` carries it, and one of an earlier attempt is refused. */
export interface Lease {
  readonly id: JobUrn;
  /** From 1. */
  readonly attempt: number;
  /** Nonce of this claim. */
  readonly token: string;
}

/** A result or an error, without streams: it can be read any number of times. */
export type StoredOutcome =
  | { readonly state: "succeeded"; readonly result: StoredResult }
  | {
      readonly state: "failed" | "error" | "cancelled";
      readonly error: {
        readonly kind: ErrorKind;
        readonly message: string;
        readonly problems?: readonly Problem[];
        /** Name of the class that was thrown, as the worker told it. */
        readonly type?: string;
      };
    };

export type StoredResult =
  | { readonly kind: "json"; readonly json: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly contentType: string; readonly content: Uint8Array };

export interface StoredEvent {
  readonly sequence: number;
  /** As callers see it; timestamp and sequence are in it. */
  readonly body: JsonObject;
}

export interface JobRecord {
  readonly id: JobUrn;
  readonly tool: string;
  readonly state: JobState;
  readonly owner?: string;
  /** Of the body that it was handed in with, when the caller gave a key. */
  readonly digest?: string;
  /** Claims, less those that were handed back. */
  readonly attempt: number;
  /** Set once the job has ended; never changes afterwards. */
  readonly outcome?: StoredOutcome;
  readonly events: readonly StoredEvent[];
}

/** `existing`: this id or key is known, and the record is of that job. `conflict`: same key or id, other request. */
export type SubmitAnswer =
  /** The lease is there when the submitter asked for one. */
  | { readonly kind: "created"; readonly lease?: Lease }
  | { readonly kind: "existing"; readonly record: JobRecord }
  | { readonly kind: "conflict" };

export interface Claim {
  readonly lease: Lease;
  readonly job: NewJob;
  /** Number of the last event that earlier attempts added, 0 when there is none: this one's numbers go on from there. */
  readonly lastSequence: number;
}

/** `stale`: a later attempt holds the job. `ended`: the job is over. `unknown`: no such job, or no longer. */
export type WriteAnswer = "ok" | "stale" | "ended" | "unknown";

/** What a renewal tells the worker beside {@link WriteAnswer}: somebody cancelled the job. */
export type RenewAnswer = WriteAnswer | { readonly cancel: string };

/**
 * Where jobs live that somebody may ask for again. Nine verbs; one conformance suite runs on every implementation.
 * Acknowledged means durable, as far as the store promises durability at all.
 */
export interface JobStore {
  /**
   * Takes a job in, once per id and per idempotency key.
   * @param leaseSeconds The submitter runs the job itself: a new one is claimed in the same step, so that nobody else can
   */
  submit(job: NewJob, leaseSeconds?: number): MaybePromise<SubmitAnswer>;
  /** Gives a job to a worker: the named one, else the oldest that waits (of `tools`). One attempt more. */
  claim(options: {
    readonly seconds: number;
    readonly id?: JobUrn;
    readonly tools?: readonly string[];
  }): MaybePromise<Claim | undefined>;
  /** Extends a lease. */
  renew(lease: Lease, seconds: number): MaybePromise<RenewAnswer>;
  /** Adds events; one whose sequence is known is ignored. */
  progress(lease: Lease, events: readonly StoredEvent[]): MaybePromise<WriteAnswer>;
  /** Ends the job. The same outcome again is `ended`, and harmless. */
  settle(lease: Lease, outcome: StoredOutcome): MaybePromise<WriteAnswer>;
  /** Hands the job back without spending the attempt, to be claimed again after `delay` seconds. */
  release(lease: Lease, delay: number): MaybePromise<WriteAnswer>;
  /** Ends a job as cancelled, whoever runs it; the worker hears of it at its next renewal. */
  cancel(id: JobUrn, reason: string): MaybePromise<WriteAnswer>;
  get(id: JobUrn): MaybePromise<JobRecord | undefined>;
  /** Puts jobs back whose lease has run out, ends those without attempts left as `interrupted`, drops what expired. */
  reap(): MaybePromise<void>;
  /** Waits for what is being written and releases everything. */
  close(): MaybePromise<void>;
}
