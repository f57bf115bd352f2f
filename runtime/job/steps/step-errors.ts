import { stepCauseKey, valueErrorMark } from "../../contract/process-keys.ts";
import type { ErrorKind } from "../../contract/error-kind.ts";
import { ToolError } from "../../base/errors.ts";
import type { StepFailure } from "./kept-step.ts";

/**
 * Error of a step that has used up its attempts. It is made from the stored failure, so that it is the same in every
 * attempt of the job: it has the message and the class name of the thrown error, but not its stack and cause, which are
 * in the log.
 */
export class StepError extends Error {
  override readonly name: string = "StepError";
  /** Name of the step; with its key as `name[key]`. */
  readonly step: string;
  /** `user-input` for a `ValueError`, otherwise mostly `system` or `timeout`. */
  readonly kind: ErrorKind;
  /** Class name of the error that was thrown. */
  readonly type: string | undefined;

  /** @param thrown The thrown value, if this process has it; only the log and `tenon dev` show it */
  constructor(step: string, { kind, message, type }: StepFailure, thrown?: unknown) {
    super(message);
    this.step = step;
    this.kind = kind;
    this.type = type;
    if (thrown !== undefined) Object.defineProperty(this, stepCauseKey, { value: thrown });
    // An error of the caller keeps the mark of `ValueError`, so that the job reports it as the caller's.
    if (kind === "user-input") Object.defineProperty(this, valueErrorMark, { value: true });
  }
}

/**
 * Error of a step with `atMostOnce` that an earlier attempt has begun without recording its end: the step may or may
 * not have happened.
 */
export class StepInterruptedError extends Error {
  override readonly name: string = "StepInterruptedError";
  readonly step: string;

  constructor(step: string) {
    super(`Step ${step} was begun by an attempt that did not live to see its end, and must not run twice.`);
    this.step = step;
  }
}

/** Ends the try of a step or a job, and sets the time of the next try, if one is left. */
export class RetryAfterError extends Error {
  override readonly name: string = "RetryAfterError";
  readonly seconds: number;

  constructor(seconds: number, message = `Try again in ${seconds} s.`, options?: ErrorOptions) {
    super(message, options);
    if (!(seconds >= 0 && seconds < 1e9))
      throw new TypeError(`RetryAfterError: ${seconds} is not a number of seconds.`);
    this.seconds = seconds;
  }
}

/** Ends a step or a job without a retry. */
export class FinalError extends Error {
  override readonly name: string = "FinalError";
}

/**
 * Error of an attempt whose job another attempt has taken over, or whose job has ended: its results are no longer
 * stored.
 */
export class StaleError extends Error {
  override readonly name: string = "StaleError";

  constructor() {
    super("The job has ended, or another attempt has it. What this one does is not kept.");
  }
}

/** Error of a wait that has timed out before its message arrived. */
export class WaitTimeoutError extends Error {
  override readonly name: string = "WaitTimeoutError";
  /** Name of the message; with its key as `name[key]`. */
  readonly waited: string;

  constructor(name: string) {
    super(`No message ${name} came in time.`);
    this.waited = name;
  }
}

const finalMark = Symbol("final");

/** Marks an error from another thread as one after which a retry would fail as well. */
export function asFinal<T extends Error>(error: T): T {
  return Object.defineProperty(error, finalMark, { value: true });
}

const finalErrors = [FinalError, StaleError, StepError, StepInterruptedError, WaitTimeoutError];
const finalKinds: ReadonlySet<ErrorKind> = new Set([
  "user-input",
  "validation",
  "invalid-result",
  "too-large",
  "outdated",
]);

/** True for an error after which a retry may succeed. */
export function mayTryAgain(thrown: unknown): boolean {
  if (thrown instanceof Error && finalMark in thrown) return false;
  return !finalErrors.some((one) => thrown instanceof one) && !finalKinds.has(ToolError.from(thrown).kind);
}
