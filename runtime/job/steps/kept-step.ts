import type { ErrorKind } from "../../contract/error-kind.ts";
import type { LimitLine } from "../limits/job-limit.ts";

/** The stored failure of a step that has used up its tries. */
export interface StepFailure {
  readonly kind: ErrorKind;
  readonly message: string;
  /** Class name of the error that was thrown. */
  readonly type?: string;
}

/** State of a step. `running`: between two attempts, or begun and never to be run again. */
export type StepState = "running" | "done" | "failed";

/** A step in the form in which its job writes it. */
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
  /** Milliseconds from now until the step resumes. */
  readonly delay?: number;
  /** Time until which the step waits, in milliseconds since 1970. */
  readonly until?: number;
  /** Milliseconds since the step began. */
  readonly took?: number;
}

/** A step in the form in which a store has it. */
export interface StoredStep extends Omit<StepWrite, "delay" | "until" | "took"> {
  /** The attempt of the job that wrote the step last. */
  readonly attempt: number;
  /** Milliseconds until the step resumes, by the store's clock; negative when that time has passed. */
  readonly left?: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** A message to a job. */
export interface NewMessage {
  /** Name, or name and key, of the wait that the message is for. */
  readonly name: string;
  /** JSON text, as bytes. */
  readonly body: string;
  /** The sender's key: a second message with the same key is ignored. */
  readonly once?: string;
  /** Subject of the sender. */
  readonly sender?: string;
}

export interface StoredMessage extends NewMessage {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** All steps that a job has stored, and all messages that it was sent. */
export interface KeptParts {
  readonly steps: readonly StoredStep[];
  /** In order of arrival. */
  readonly messages: readonly StoredMessage[];
}

/** Conditions that end the parking of a job: a time, or the arrival of one of some messages. */
export interface Parking {
  /** Milliseconds; absent: until a message comes. */
  readonly delay?: number;
  /** End of the delay, in milliseconds since 1970. */
  readonly until?: number;
  /** Names of messages; empty: none. */
  readonly waits: readonly string[];
}

/** Conditions for which a parked job waits, a time and messages, or the queue of a limit. */
export interface Waiting {
  readonly waits: readonly string[];
  readonly line?: LimitLine;
  /** Milliseconds since 1970. */
  readonly until?: number;
}

/** Maximum bytes of the result of one step, and of one message. */
export const maxStepBytes = 1024 * 1024;
/** Maximum bytes that one job stores, and number of its steps and messages. */
export const maxKeptBytes = 16 * 1024 * 1024;
export const maxKept = 10_000;

/** True for a text that stores take as the key of a step, a wait, or a message. */
export function isStepKey(key: unknown): boolean {
  // eslint-disable-next-line no-control-regex
  return typeof key === "string" && key !== "" && key.length <= 200 && !/[\u0000-\u001f]|\p{Surrogate}/u.test(key);
}

/** Returns the key under which a step is stored: its name, with the author's key if there is one. */
export function stepKey(name: string, key: string | number | undefined): string {
  return key === undefined ? name : `${name}[${key}]`;
}

/** Keys of rows that are not steps: the tries of the job itself, sleeps, and messages that were waited for. */
export const jobTries = "~tries";
export const sleepPrefix = "~sleep:";
export const waitPrefix = "~wait:";
