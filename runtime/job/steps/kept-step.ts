import type { ErrorKind } from "../../contract/error-kind.ts";
import type { LimitLine } from "../limits/job-limit.ts";

/** The end of a step that has used up its tries, as it is kept. */
export interface StepFailure {
  readonly kind: ErrorKind;
  readonly message: string;
  /** Class name of the error that was thrown. */
  readonly type?: string;
}

/** `running`: between two tries, or begun by a step that must not run twice. */
export type StepState = "running" | "done" | "failed";

/** A kept step as its job writes it. */
export interface StepWrite {
  /** Name, or name and key; see `stepKey`. */
  readonly key: string;
  readonly state: StepState;
  /** Number of tries that have ended. */
  readonly tries: number;
  readonly fingerprint: string;
  /** JSON of the result; absent for `undefined`. */
  readonly value?: string;
  readonly error?: StepFailure;
  /** Milliseconds from now until it goes on. */
  readonly delay?: number;
  /** The same as a time, in milliseconds since 1970. */
  readonly until?: number;
  /** Milliseconds since it began. */
  readonly took?: number;
}

/** A kept step as a store has it. */
export interface StoredStep extends Omit<StepWrite, "delay" | "until" | "took"> {
  /** The attempt of the job that wrote it last. */
  readonly attempt: number;
  /** Milliseconds until it goes on, by the store's clock; negative when that is over. */
  readonly left?: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** A message to a job. */
export interface NewMessage {
  /** Name, or name and key, of the wait that it is for. */
  readonly name: string;
  /** JSON text, as bytes. */
  readonly body: string;
  /** A sender's key: a second message with it is the same one. */
  readonly once?: string;
  /** Subject of the sender. */
  readonly sender?: string;
}

export interface StoredMessage extends NewMessage {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** Everything that a job has kept, and that was sent to it. */
export interface KeptParts {
  readonly steps: readonly StoredStep[];
  /** In the order in which they came. */
  readonly messages: readonly StoredMessage[];
}

/** A job outside of its process: until a time, or until one of some messages comes. */
export interface Parking {
  /** Milliseconds; absent: until a message comes. */
  readonly delay?: number;
  /** The same as a time, in milliseconds since 1970. */
  readonly until?: number;
  /** Names of messages; empty: none. */
  readonly waits: readonly string[];
}

/** The time and the messages that a parked job waits for, or the line of a limit. */
export interface Waiting {
  readonly waits: readonly string[];
  readonly line?: LimitLine;
  /** Milliseconds since 1970. */
  readonly until?: number;
}

/** Bytes of the result of one step, and of one message. */
export const maxStepBytes = 1024 * 1024;
/** Bytes of what one job keeps, and number of its steps and messages. */
export const maxKeptBytes = 16 * 1024 * 1024;
export const maxKept = 10_000;

/** The key under which a step is kept: its name, and the key that the author gave. */
export function stepKey(name: string, key: string | number | undefined): string {
  return key === undefined ? name : `${name}[${key}]`;
}

/** Keys of rows beside those of steps: the tries of the job itself, sleeps, and messages that were waited for. */
export const jobTries = "~tries";
export const sleepPrefix = "~sleep:";
export const waitPrefix = "~wait:";
