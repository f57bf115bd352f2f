import type { Problem } from "../contract/contract.ts";
import type { ErrorKind } from "../contract/error-kind.ts";

/**
 * Failures that are not reported by the service. `unreachable`: no answer, also after the retries. `timed-out`: the
 * call took longer than its timeout. `lost`: the service does not know the job any more. `unexpected`: the answer is
 * not one that a service sends.
 */
export type ConnectionErrorKind = "unreachable" | "timed-out" | "lost" | "unexpected";

/** Details of a failure, in addition to its kind. */
export interface CallErrorFacts {
  readonly status?: number | undefined;
  readonly problems?: readonly Problem[] | undefined;
  /** URN or bare id of the job. */
  readonly jobId?: string | undefined;
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call. `isCallError` narrows it to {@link CallFailure}, whose `kind` distinguishes the cases. */
export class CallError extends Error {
  override readonly name: string = "CallError";
  declare readonly kind: ErrorKind | ConnectionErrorKind;
  /** HTTP status of the answer; undefined if there was no answer. */
  readonly status: number | undefined;
  /** Problems of the request, each with the JSON Pointer of its position; empty for kinds other than `validation`. */
  declare readonly problems: readonly Problem[];
  /** Id of the job, if one was started; it helps to find the call in the log of the service. */
  readonly jobId: string | undefined;
  /** Seconds after which the service would accept the call again. */
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind | ConnectionErrorKind, message: string, facts: CallErrorFacts = {}) {
    const { cause, problems = [], ...others } = facts;
    super(message, cause ? facts : undefined);
    Object.assign(this, { kind, problems, ...others });
  }
}

/** The error for an answer that no tenon service sends. */
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

/** No service answered. */
export interface ConnectionFailure extends CallError {
  readonly kind: ConnectionErrorKind;
}

/** All failures of a call, distinguished by `kind`. */
export type CallFailure = InvalidRequest | ServiceFailure | ConnectionFailure;

/**
 * True for a failure of a call, even of a client in another generated file. False for a mistake in the program, and for
 * the reason of an aborted signal.
 */
export function isCallError(error: unknown): error is CallFailure {
  // The class is compared by name, since each generated file has a class of its own.
  return error instanceof Error && error.name === "CallError" && "problems" in error;
}

/** Makes the error for a job that the service knew before and no longer finds. */
export function lostJob(id: string, cause?: CallError): CallError {
  const message = `The service no longer knows job ${id}: it restarted without a lasting store, or dropped it.`;
  return new CallError("lost", message, { jobId: id, status: cause?.status, cause });
}

/**
 * Makes the error for a name that no tool has.
 *
 * @param hint Text to append; begins with a space unless it is empty.
 */
export function unknownTool(owner: string, name: string, known: Iterable<string>, hint = ""): CallError {
  const names = [...known].join(", ");
  return new CallError("not-found", `${owner} has no tool ${JSON.stringify(name)}.${hint} Its tools: ${names}`);
}

/** True for a failure that may be temporary: of the connection, of a proxy, or of a service that is stopping. */
export function isPassing({ kind, status = 0 }: CallError): boolean {
  return (
    refusals.includes(kind) ||
    kind === "unreachable" ||
    kind === "unavailable" ||
    (kind === "unexpected" && status >= 502 && status <= 504)
  );
}

/** Kinds of a call that the service refused before it began. */
export const refusals: readonly string[] = ["overloaded", "draining", "too-many-requests"];

/**
 * Maximum size of one answer in bytes or characters: ten times the largest result of a tool. Without a limit, an
 * endless answer would fill the client's memory.
 */
const longest = 64 * 1024 ** 2;

/** Stops reading an answer that is longer than any valid one. @throws CallError `unexpected`, with the source */
export function requireBounded(size: number, source: string): void {
  if (size > longest) throw unexpected(`${source} exceeds 64 MiB.`);
}
