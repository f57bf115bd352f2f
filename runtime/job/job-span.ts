import type { HttpCall, JobOutcome, JobUrn } from "./job.ts";
import type { SentTrace } from "./trace-context.ts";

/** A job in the form that observers see. */
export interface ObservedJob {
  readonly id: JobUrn;
  readonly tool: { readonly name: string };
  readonly outcome: JobOutcome | undefined;
  /** The caller's trace context, as received, and its request over HTTP, if it was one. */
  readonly submission: SentTrace & { readonly http?: HttpCall | undefined; readonly isTakenUp?: boolean | undefined };
  readonly span: JobSpan | undefined;
  /** Set by an observer without spans: loads the code that observes requests to language models. */
  modelCalls?: LoadModelCalls;
  /** Time at which the job began, as `performance.now()`; set by an observer without spans. */
  observedFrom?: number;
  /** Token of the job; observers remove it from texts. */
  readonly authorization: string | undefined;
}

/** Observes jobs; implemented by telemetry. Its methods return at once and never throw. */
export interface JobObserver {
  /** Called when the job starts to run. */
  began(job: ObservedJob): JobSpan | undefined;
  /** Called when the job has ended, even if it never started. */
  ended(job: ObservedJob): void;
  /** Called instead of `ended` when the job has left its process: another attempt continues it later. */
  left?(job: ObservedJob): void;
  /** Called when a call gets the job of an earlier call, whose request it has replaced if the tool has `@debounce`. */
  joined?(call: ObservedJob, id: JobUrn): void;
}

/** Settings of the child spans of a job's span; a worker thread needs them, too. */
export interface SpanSettings {
  /** Attributes of all spans of the job. */
  readonly ids: Readonly<Record<string, string>>;
  /** True when outbound calls get their own spans, see {@link JobSpan.startCall}. */
  readonly watchesCalls: boolean;
  /** True when spans of requests to language models contain the messages. */
  readonly capturesContents: boolean;
  /** True when values that a worker thread measures are recorded, see {@link JobSpan.received}. */
  readonly measures: boolean;
}

/** The span of a running job. */
export interface JobSpan extends SentTrace {
  readonly settings: SpanSettings;
  /** Trace context for outbound calls: of the innermost span in which the calling code runs, else of the job. */
  readonly traceparent: string;
  /** Runs code as part of the job: in it, the job's span is the active one. */
  run<T>(callback: () => T): T;
  /** Starts a span for a step of the job. `fields` become attributes. */
  startStep(name: string, fields: Readonly<Record<string, unknown>>): StepSpan;
  /**
   * Starts a span for an outbound call by code of the job; undefined if an instrumentation of the author's makes one.
   */
  startCall(call: OutboundCall): ClientSpan | undefined;
  /** Loads the code that observes the job's requests to language models. */
  readonly modelCalls: LoadModelCalls;
  /** Takes a message from the telemetry of the job's worker thread, about a span or about measured values. */
  received(message: unknown): void;
}

/** The span of a step. */
export interface StepSpan {
  /** Runs code as part of the step: in it, the step's span is the active one. */
  run<T>(callback: () => T): T;
  /** Marks the step as failed by the thrown value. */
  failed(thrown: unknown): void;
  /** Ends the span; later calls do nothing. */
  end(): void;
}

/** Attributes of the span of an outbound request. */
export interface OutboundCall {
  readonly method: string;
  readonly url: URL;
}

/** Outcome of a request: the headers of the answer have arrived, or the request has failed. */
export type CallResult = { readonly status: number } | { readonly error: unknown };

/** The span of an outbound request. */
export interface ClientSpan {
  /** Trace context for the request's headers. */
  readonly traceparent: string;
  /** Further headers for the request, from other propagators than W3C's. */
  readonly others: Readonly<Record<string, string>> | undefined;
  /** Ends the span; later calls do nothing. */
  ended(result: CallResult): void;
}

/** A request to a language model, as its client sends it. */
export interface ModelRequest {
  /** Path below the client's base URL, such as `/chat/completions`. */
  readonly path: string;
  /** Base URL of the client. */
  readonly server: URL;
}

/** Telemetry of one request to a language model. No method throws; calls after the end have no effect. */
export interface ModelCall {
  /** Runs code as part of the call: in it, the call's span is the active one. */
  run<T>(callback: () => T): T;
  /** Records the body of the request. */
  asked(body: unknown): void;
  /** Called when the headers of the answer have arrived. */
  arrived(): void;
  /** Records one piece of a streamed answer. */
  piece(piece: unknown): void;
  /** Records the whole answer, which ends the call; undefined after the last piece. */
  answered(answer?: unknown): void;
  /** Ends the call with an error. */
  failed(thrown: unknown): void;
}

/** Starts the telemetry of a request; undefined for a request for which the conventions have no name. */
export type ModelCallStarter = (request: ModelRequest) => ModelCall | undefined;

/** Loads the code that observes requests to language models. */
export type LoadModelCalls = () => Promise<ModelCallStarter>;
