import { AsyncLocalStorage } from "../base/async-hooks.ts";
import type { JobOutcome, JobUrn } from "./job.ts";
import type { ClientSpan, OutboundCall } from "./client-span.ts";

/** What an observer knows of a job. */
export interface ObservedJob {
  readonly id: JobUrn;
  readonly tool: { readonly name: string };
  readonly outcome: JobOutcome | undefined;
  /** The caller's trace context, as it came. */
  readonly submission: { readonly traceparent?: string | undefined; readonly tracestate?: string | undefined };
  readonly span: JobSpan | undefined;
  /** The token of the job, so that it can be taken out of texts. */
  readonly authorization: string | undefined;
}

/** Sees jobs come and go: telemetry. Its methods return at once and never throw. */
export interface JobObserver {
  /** The job begins to run. */
  began(job: ObservedJob): JobSpan | undefined;
  /** The job has ended; it may never have begun. */
  ended(job: ObservedJob): void;
}

/** The span of a running job. */
export interface JobSpan {
  /** Of the step that the calling code runs in, else of the job; what outbound calls carry. */
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  /** Starts a span for a step of the job. `fields` become attributes; `spanId` is given where a thread has chosen it. */
  startStep(name: string, fields: Readonly<Record<string, unknown>>, spanId?: string): StepSpan;
  /** Outbound calls get spans of their own, see {@link JobSpan.startCall}. */
  readonly watchesCalls: boolean;
  /** Starts a span for a call that is made now, by code that runs for the job. */
  startCall(call: OutboundCall, spanId?: string): ClientSpan;
}

/** The span of a step. */
export interface StepSpan {
  readonly traceparent: string;
  /** Runs code as part of the step, so that its calls are the step's children. */
  run<T>(callback: () => T): T;
  /** The step has failed; what was thrown goes along. */
  failed(thrown: unknown): void;
  /** Ends the span; later calls do nothing. */
  end(): void;
}

/** The step that the current code runs in. */
export const currentStep: AsyncLocalStorage<{ readonly job: JobSpan; readonly step: StepSpan }> =
  new AsyncLocalStorage();
