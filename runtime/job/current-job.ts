import { AsyncLocalStorage } from "../base/async-hooks.ts";
import type { RetryDefinition } from "../contract/contract.ts";
import type { Emit } from "./reporter.ts";
import type { PlatformSettings } from "../service/config/platform-settings.ts";
import type { JobSpan, LoadModelCalls } from "./job-span.ts";
import type { JobCaller, JobUrn, PlatformAttempt } from "./job.ts";
import type { ToolError } from "../base/errors.ts";
import type { StepBook } from "./steps/step-book.ts";
import type { JobClient } from "./question.ts";

/** The running job, in the form that all code uses that does not depend on a protocol. */
export interface CurrentJob {
  readonly id: JobUrn;
  readonly tool: { readonly name: string; readonly definition?: { readonly retry?: RetryDefinition } };
  /** The job's token, verbatim. Sent only to the platform. */
  readonly authorization: string | undefined;
  /** The caller; undefined if callers are not authenticated. */
  readonly caller?: JobCaller | undefined;
  /** W3C trace context for outbound calls of the current code: of the step, else of the job, else of the caller. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** W3C Baggage for outbound calls of the current code. */
  readonly baggage?: string | undefined;
  /** Set for a job from the sidecar; its headers are sent with all requests about the job. */
  readonly attempt?: PlatformAttempt | undefined;
  /** Present when telemetry makes spans of jobs. */
  readonly span?: JobSpan | undefined;
  /** Loads the code that observes requests to language models; used if the job has no span. */
  readonly modelCalls?: LoadModelCalls;
  /** Signal that is aborted when the job is cancelled or has timed out. Created on first use. */
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** The client that waits for the job; undefined when it cannot be asked questions. */
  readonly client?: JobClient | undefined;
  /** Opens the record of the job's stored steps; absent if nothing can be stored. */
  book?(): Promise<StepBook>;
  /** Ends the job with an error that its code cannot catch. */
  stop?(error: ToolError): void;
  /** Called when the function of the job only waits, which `@timeout` does not count, and when it goes on. */
  idle?(isIdle: boolean): void;
  /** Address of the platform for this job; undefined when there is none. */
  readonly platformSettings?: PlatformSettings | undefined;
  /** The author's `JobContext`, created on first use; see `jobContextOf`. */
  context: object | undefined;
  /** Number of steps, waits and other parts that run; while there are any, the job stays in its process. */
  busy?: number;
  /** Decides when the job leaves its process, created on first use; see `departureOf`. */
  departure?: {
    /** Called when a part of the job that `busy` counts has ended. */
    ended(): void;
  };
}

/**
 * The job of the current async context. Read it when a call is made: callbacks of pools, sockets and retries run in the
 * context of the job that created the pool or socket, which may be another job.
 */
export const currentJob: AsyncLocalStorage<CurrentJob> = new AsyncLocalStorage();
