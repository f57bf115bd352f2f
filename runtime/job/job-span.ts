import { AsyncLocalStorage } from "../base/async-hooks.ts";
import type { JobOutcome, JobUrn } from "./job.ts";
import type { ClientSpan, OutboundCall } from "./client-span.ts";

/** The job as observers see it. */
export interface ObservedJob {
  readonly id: JobUrn;
  readonly tool: { readonly name: string };
  readonly outcome: JobOutcome | undefined;
  /** The caller's trace context, as received. */
  readonly submission: { readonly traceparent?: string | undefined; readonly tracestate?: string | undefined };
  readonly span: JobSpan | undefined;
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

/** The span of a running job. */
export interface JobSpan {
  /** Trace context for outbound calls: of the step that the calling code runs in, else of the job. */
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  /** Starts a span for a step of the job. `fields` become attributes. `spanId` is given when a thread has chosen it. */
  startStep(name: string, fields: Readonly<Record<string, unknown>>, spanId?: string): StepSpan;
  /** True when outbound calls get spans of their own, see {@link JobSpan.startCall}. */
  readonly watchesCalls: boolean;
  /** Starts a span for an outbound call by code that runs for the job. */
  startCall(call: OutboundCall, spanId?: string): ClientSpan;
}

/** The span of a step. */
export interface StepSpan {
  readonly traceparent: string;
  /** Runs code as part of the step, so that its calls are the step's children. */
  run<T>(callback: () => T): T;
  /** Marks the step as failed by the thrown value. */
  failed(thrown: unknown): void;
  /** Ends the span; later calls do nothing. */
  end(): void;
}

/** The step that the current code runs in. */
export const currentStep: AsyncLocalStorage<{ readonly job: JobSpan; readonly step: StepSpan }> =
  new AsyncLocalStorage();
