import type { JsonObject, ResultKind } from "../contract/contract.ts";
import type { ResultPlan } from "./decode-result.ts";

/** Properties of a tool that its callers need. */
export interface ToolFacts {
  readonly name: string;
  /** Path of its REST route. */
  readonly path: string;
  readonly kind: ResultKind;
  /** True if a second call does no harm: the tool is read-only or idempotent. */
  readonly isRepeatable: boolean;
  //#region conversions
  /** Conversions of its results. */
  readonly plan?: ResultPlan | undefined;
  //#endregion
}

/** An event that a job has reported. */
export interface JobEvent {
  /** Number of the event, which rises; an event stream can be resumed after it. */
  readonly id: number;
  /** URN of the kind of event, for example `urn:platform:schema:service.event.step.start.1`. */
  readonly schema: string;
  readonly data: JsonObject;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, and cancels its job unless others may share the job by its key. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, retries included; default: the timeout of the client. */
  readonly timeout?: number | undefined;
  /** Calls with the same key and request start one job, also when one of them is repeated. */
  readonly idempotencyKey?: string | undefined;
  /** W3C trace context of this call. */
  readonly traceparent?: string | undefined;
}

/** Options of a wait for a job that is already running. The job continues when the wait ends. */
export type WaitOptions = Pick<CallOptions, "signal" | "timeout">;

/** Options of a message to a job. */
export interface SendOptions {
  /** Key of a wait in a loop. */
  readonly key?: string | number;
  /** Messages with the same key count once. Default: a new key for each call, so that the client may repeat it. */
  readonly idempotencyKey?: string;
}

/** A result before it is decoded. */
export type WireResult =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "blob"; readonly blob: Blob };

/** A job of the remote service. */
export interface RemoteJob {
  readonly id: string;
  result(signal: AbortSignal | undefined): Promise<WireResult>;
  /** Yields all events after number `after` until the job ends. */
  events(after: number, signal: AbortSignal | undefined): AsyncGenerator<JobEvent, void, undefined>;
  cancel(): Promise<void>;
  //#region messages
  /**
   * Sends a message to the job.
   *
   * @param body The message as JSON text.
   */
  send(name: string, body: string, options: SendOptions): Promise<void>;
  //#endregion
}

/** A transport to the tools of a service. Rejects with `CallError`, or with the reason of the signal. */
export interface Transport {
  /**
   * Finds the properties of a tool.
   *
   * @param name Name of the tool.
   */
  tool(name: string, signal: AbortSignal | undefined): Promise<ToolFacts>;
  /**
   * Calls a tool and waits for its result.
   *
   * @param body The request as JSON text.
   */
  call(tool: ToolFacts, body: string, options: CallOptions): Promise<WireResult>;
  start(tool: ToolFacts, body: string, options: CallOptions): Promise<RemoteJob>;
  job(tool: ToolFacts, id: string): RemoteJob;
}
