import { BaseEvent } from "../../job/event.ts";
import type { JsonObject } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import type { BookAnswer, BookCall } from "./book-messages.ts";
import type { SentError } from "./sent-error.ts";
import { asFinal, mayTryAgain, RetryAfterError } from "../../job/steps/step-errors.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import { describeThrown, type ThrownDescription } from "../../telemetry/log/describe-thrown.ts";
import type { LogRecord } from "../../telemetry/log/log-record.ts";
import type { NotedCall } from "../../telemetry/watch-calls.ts";
import type { SpanSettings } from "../../job/job-span.ts";
import type { JobCaller, JobResult, JobUrn, PlatformAttempt } from "../../job/job.ts";

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
  | { readonly kind: "call"; readonly job: string; readonly call: NotedCall; readonly key: string }
  | { readonly kind: "log"; readonly record: LogRecord }
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
