/** The recorded history of a sweep, in the order of events. Times are milliseconds of one clock. */
export type Entry = Submitted | Cancelled | Granted | Write | Seen | SentAgain | Events | Followed | Altered;

/** A job whose submission was acknowledged. */
export interface Submitted {
  readonly kind: "submitted";
  readonly id: string;
  readonly at: number;
  /** Number of events that every complete run of it reports. */
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
  /** Undefined: no answer, so the write may have been stored or not. */
  readonly status: number | undefined;
  /** Digest of the body, for a result. */
  readonly digest?: string;
}

/** Answer to a caller's look at a job. */
export interface Seen {
  readonly kind: "seen";
  readonly id: string;
  readonly at: number;
  /** `pending`, `executing` or a final state. */
  readonly status: string;
  /** Digest of its result or error. */
  readonly digest: string;
  /** The worker's write that the result comes from; absent for services that keep their own jobs. */
  readonly written?: string;
}

/** A second request with the same idempotency key: with the same body, or with another one. */
export interface SentAgain {
  readonly kind: "again";
  readonly id: string;
  readonly same: boolean;
  readonly status: number;
  /** The job in the answer. */
  readonly found: string | undefined;
}

/** The platform's final list of events of a job: their numbers, and the worker's own counts. */
export interface Events {
  readonly kind: "events";
  readonly id: string;
  readonly numbers: readonly number[];
  readonly counts: readonly number[];
  /** The runs that reported them; absent where a proxy sees the writes of each run. */
  readonly runs?: readonly string[];
  /** The run that returned the result. */
  readonly resultRun?: string | undefined;
  /** Their texts. */
  readonly texts?: readonly string[];
}

/** The events that a reader was told while the job ran, over connections to several replicas. */
export interface Followed {
  readonly kind: "followed";
  readonly id: string;
  readonly events: readonly (readonly [number: number, text: string])[];
}

/** A change that the database saw behind the end of a job. */
export interface Altered {
  readonly kind: "altered";
  readonly id: string;
  readonly how: string;
}
