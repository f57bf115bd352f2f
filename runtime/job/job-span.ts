import type { JobOutcome, JobUrn } from "./job.ts";
import type { ClientSpan, OutboundCall } from "./client-span.ts";
import type { HttpCall } from "./http-call.ts";
import type { LoadModelCalls } from "./model-call.ts";
import type { SentTrace } from "./trace-context.ts";

/** The job as observers see it. */
export interface ObservedJob {
  readonly id: JobUrn;
  readonly tool: { readonly name: string };
  readonly outcome: JobOutcome | undefined;
  /** The caller's trace context, as received, and its request over HTTP, if it was one. */
  readonly submission: SentTrace & { readonly http?: HttpCall | undefined; readonly isTakenUp?: boolean | undefined };
  readonly span: JobSpan | undefined;
  /** An observer without spans sets what observes requests to language models. */
  modelCalls?: LoadModelCalls;
  /** When it began, as `performance.now()`; set by an observer without spans. */
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
}

/** Settings of the spans below a job's, which a worker thread needs as well. */
export interface SpanSettings {
  /** Attributes of all spans of the job. */
  readonly ids: Readonly<Record<string, string>>;
  /** True when outbound calls get spans of their own, see {@link JobSpan.startCall}. */
  readonly watchesCalls: boolean;
  /** True when spans of requests to language models have what is said. */
  readonly capturesContents: boolean;
  /** True when values that a worker thread measures are taken, see {@link JobSpan.received}. */
  readonly measures: boolean;
}

/** The span of a running job. */
export interface JobSpan extends SentTrace {
  readonly settings: SpanSettings;
  /** Trace context for outbound calls: of the innermost span that the calling code runs in, else of the job. */
  readonly traceparent: string;
  /** Runs code as part of the job: in it, the job's span is the active one. */
  run<T>(callback: () => T): T;
  /** Starts a span for a step of the job. `fields` become attributes. */
  startStep(name: string, fields: Readonly<Record<string, unknown>>): StepSpan;
  /**
   * Starts a span for an outbound call by code that runs for the job; undefined where an instrumentation of the
   * author's has made it.
   */
  startCall(call: OutboundCall): ClientSpan | undefined;
  /** Loads what observes the job's requests to language models. */
  readonly modelCalls: LoadModelCalls;
  /**
   * Takes a message of the job's worker thread about a span or values there, as the telemetry of the thread made it.
   */
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
