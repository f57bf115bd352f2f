import { BaseEvent } from "../../job/event.ts";
import type { JsonObject, Problem } from "../../contract/contract.ts";
import { ToolError, type ErrorKind } from "../../base/errors.ts";
import { asFinal, mayTryAgain, RetryAfterError } from "../../job/steps/step-errors.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import { describeThrown, type ThrownDescription } from "../../telemetry/log/describe-thrown.ts";
import type { LogRecord } from "../../telemetry/log/log-record.ts";
import type { NotedCall } from "../../telemetry/watch-calls.ts";
import type { SpanSettings } from "../../job/job-span.ts";
import type { JobCaller, JobResult, JobUrn, PlatformAttempt } from "../../job/job.ts";
import type { Parking, StepWrite, StoredMessage, StoredStep } from "../../job/steps/kept-step.ts";

/** A job for a thread. */
export interface ThreadTask {
  readonly kind: "run";
  readonly tool: string;
  /** Parsed JSON that was not validated: decoded values cannot always be sent to a thread. */
  readonly input: unknown;
  readonly id: JobUrn;
  readonly authorization: string | undefined;
  readonly caller: JobCaller | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage: string | undefined;
  readonly attempt: PlatformAttempt | undefined;
  readonly platform: Pick<PlatformSettings, "baseUrl" | "localDir">;
  /** True in `tenon dev`: the thread sends the outbound requests of the job's code. */
  readonly isNoted: boolean;
  /** Settings for telemetry. If set, the thread makes the spans of the job's code. */
  readonly tracing: SpanSettings | undefined;
  /** Shared `Int32` that becomes 1 when the job must stop. Code that never yields to the event loop can read it too. */
  readonly flag: SharedArrayBuffer;
}

/** New token and attempt of a running job that the platform has handed out again. */
export interface ThreadGrant {
  readonly kind: "grant";
  readonly authorization: string | undefined;
  readonly attempt: PlatformAttempt | undefined;
}

/** Messages from the pool to a thread. */
export type ToThread =
  | ThreadTask
  | ThreadGrant
  | { readonly kind: "abort"; readonly reason: SentError }
  | { readonly kind: "book"; readonly answer: BookAnswer };

/** Messages from a thread to the pool. `heard`: the abort has reached the thread's event loop. */
export type FromThread =
  | { readonly kind: "ready" | "heard" }
  | { readonly kind: "event"; readonly schema: string; readonly fields: JsonObject; readonly internal: boolean }
  | { readonly kind: "span"; readonly message: object }
  | { readonly kind: "book"; readonly call: BookCall }
  | { readonly kind: "idle"; readonly isIdle: boolean }
  | { readonly kind: "call"; readonly job: string; readonly call: NotedCall; readonly key: string }
  | { readonly kind: "log"; readonly record: LogRecord }
  /** A key that the job uses, which the log must not show. */
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "succeeded"; readonly result: JobResult }
  | { readonly kind: "failed"; readonly error: SentError };

/** Converts a thrown value into data. */
export function sendError(thrown: unknown): SentError {
  const { kind, message, problems, cause } = ToolError.from(thrown);
  return {
    kind,
    message,
    ...(problems !== undefined && { problems }),
    ...(cause !== undefined && { cause: describeThrown(cause) }),
    ...(!mayTryAgain(thrown) && { isFinal: true }),
    ...(thrown instanceof RetryAfterError && { retryAfter: thrown.seconds }),
  };
}

/** The inverse of {@link sendError}. */
export function receiveError({ kind, message, problems, cause, isFinal, retryAfter }: SentError): ToolError {
  const error = new ToolError(kind, message, {
    ...(problems !== undefined && { problems }),
    ...(cause !== undefined && { cause: rebuildThrown(cause) }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
  return isFinal === true ? asFinal(error) : error;
}

/** Rebuilds a thrown value from its description: an error, or an object or text that was thrown instead. */
export function rebuildThrown({ type, message, stack, code, cause, errors, value }: ThrownDescription): unknown {
  if (value !== undefined) return value;
  if (type === "string" && stack === undefined) return message;
  const error = new Error(message, cause === undefined ? undefined : { cause: rebuildThrown(cause) });
  error.name = type;
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, code !== undefined && { code }, errors && { errors: errors.map(rebuildThrown) });
}

/** An event that a thread has reported, as plain data: its class does not leave the thread. */
export class ThreadEvent extends BaseEvent {
  static override readonly SCHEMA: string = "urn:platform:schema:service.event.1";
  readonly #schema: string;

  constructor(schema: string, fields: JsonObject) {
    super();
    this.#schema = schema;
    Object.assign(this, fields);
  }

  override get schema(): string {
    return this.#schema;
  }
}

/** A `ToolError` as plain data. */
export interface SentError {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly cause?: ThrownDescription;
  /** True if a retry would fail as well. */
  readonly isFinal?: true;
  /** Seconds until a retry. */
  readonly retryAfter?: number;
}

/** Calls by which a thread uses the step record of its job; calls with an id are answered. */
export type BookCall =
  | { readonly call: "open"; readonly id: string }
  | { readonly call: "keep"; readonly id: string; readonly step: StepWrite }
  | { readonly call: "left"; readonly id: string; readonly key: string }
  /** Requests the first message of a name; answered now or when the message arrives. */
  | { readonly call: "message"; readonly name: string }
  /** Reads the messages anew; answered after the messages that were asked for. */
  | { readonly call: "refresh"; readonly id: string }
  | { readonly call: "park"; readonly parking: Parking }
  | { readonly call: "stop"; readonly error: SentError };

/** Answers that are sent to the thread. */
export type BookAnswer =
  | { readonly answer: "opened"; readonly id: string; readonly steps: readonly StoredStep[]; readonly parks: boolean }
  | { readonly answer: "kept"; readonly id: string; readonly step: StoredStep | undefined }
  | { readonly answer: "left"; readonly id: string; readonly left: number }
  | { readonly answer: "refreshed"; readonly id: string }
  | { readonly answer: "failed"; readonly id: string; readonly error: SentError; readonly isStale: boolean }
  | { readonly answer: "message"; readonly message: StoredMessage };
