import type { Problem } from "../contract/contract.ts";
import type { ErrorKind } from "../contract/error-kind.ts";

/**
 * Failures that no service tells. `unreachable`: no answer, also after the retries. `timed-out`: the time of the call
 * was over. `lost`: the service does not know the job any more. `unexpected`: an answer that is not a service's.
 */
export type ConnectionErrorKind = "unreachable" | "timed-out" | "lost" | "unexpected";

/** Facts of a failure beside its kind. */
export interface CallErrorFacts {
  readonly status?: number | undefined;
  readonly problems?: readonly Problem[] | undefined;
  /** URN or bare id. */
  readonly jobId?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call. `isCallError` narrows it to {@link CallFailure}, whose `kind` tells the cases apart. */
export class CallError extends Error {
  override readonly name: string = "CallError";
  declare readonly kind: ErrorKind | ConnectionErrorKind;
  /** HTTP status of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** All mistakes of the request, each with the JSON Pointer of its place; empty for kinds other than `validation`. */
  declare readonly problems: readonly Problem[];
  /** The job, once there is one: a name for the log of the service. */
  readonly jobId: string | undefined;
  /** Seconds after which the service would take the call. */
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind | ConnectionErrorKind, message: string, facts: CallErrorFacts = {}) {
    const { cause, problems = [], ...others } = facts;
    super(message, cause === undefined ? undefined : facts);
    Object.assign(this, { kind, problems, ...others });
  }
}

/** An answer that is not a service's. */
export function unexpected(message: string, facts?: CallErrorFacts): CallError {
  return new CallError("unexpected", message, facts);
}

/** The request does not match its schema. */
export interface InvalidRequest extends CallError {
  readonly kind: "validation";
  readonly status: 422;
  readonly problems: readonly [Problem, ...Problem[]];
}

/** The service answered with a problem. */
export interface ServiceFailure extends CallError {
  readonly kind: Exclude<ErrorKind, "validation">;
  readonly status: number;
}

/** There is no answer of a service. */
export interface ConnectionFailure extends CallError {
  readonly kind: ConnectionErrorKind;
}

/** All failures of a call; `kind` tells them apart. */
export type CallFailure = InvalidRequest | ServiceFailure | ConnectionFailure;

/**
 * True for a failure of a call, also of a client in another file; false for a mistake in the program and for the reason
 * of an aborted signal.
 */
export function isCallError(error: unknown): error is CallFailure {
  // Generated files have a class of their own.
  return error instanceof Error && error.name === "CallError" && "problems" in error;
}
