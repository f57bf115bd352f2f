/** What a sweep wrote down, in the order in which it happened. Times are milliseconds of one clock. */
export type Entry = Submitted | Cancelled | Granted | Write | Seen | SentAgain | Events;

/** A job whose submission was acknowledged. */
export interface Submitted {
  readonly kind: "submitted";
  readonly id: string;
  readonly at: number;
  /** Events that every whole run of it reports. */
  readonly events: number;
}

/** A cancellation that was acknowledged. */
export interface Cancelled {
  readonly kind: "cancelled";
  readonly id: string;
  readonly at: number;
}

/** A worker was given a job. */
export interface Granted {
  readonly kind: "granted";
  readonly id: string;
  readonly lease: string;
  readonly attempt: number;
  readonly at: number;
}

/** A worker's write under a lease. */
export interface Write {
  readonly kind: "write";
  readonly what: "event" | "result" | "renewal" | "release";
  readonly id: string;
  readonly lease: string;
  readonly began: number;
  readonly ended: number;
  /** Undefined: nobody answered, so it may have been taken or not. */
  readonly status: number | undefined;
  /** Of a result: digest of its body. */
  readonly digest?: string;
}

/** What a caller was told of a job. */
export interface Seen {
  readonly kind: "seen";
  readonly id: string;
  readonly at: number;
  /** `pending`, `executing` or a state in which it stays. */
  readonly status: string;
  /** Of its result or error. */
  readonly digest: string;
  /** The result is the one of a worker's write; absent for services that keep their own jobs. */
  readonly written?: string;
}

/** The same idempotency key once more: with the same body, or with another one. */
export interface SentAgain {
  readonly kind: "again";
  readonly id: string;
  readonly same: boolean;
  readonly status: number;
  /** The job that came back. */
  readonly found: string | undefined;
}

/** All events that the platform has of a job in the end: their numbers, and what the worker counted. */
export interface Events {
  readonly kind: "events";
  readonly id: string;
  readonly numbers: readonly number[];
  readonly counts: readonly number[];
}
