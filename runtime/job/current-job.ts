import { AsyncLocalStorage } from "../base/async-hooks.ts";
import type { Emit } from "./reporter.ts";
import type { PlatformSettings } from "../service/config/platform-settings.ts";
import type { JobSpan } from "./job-span.ts";
import type { JobCaller, JobUrn, PlatformAttempt } from "./job.ts";
import type { JobClient } from "./question.ts";

/** The running job as everything below the fronts sees it. */
export interface CurrentJob {
  readonly id: JobUrn;
  readonly tool: { readonly name: string };
  /** The job's token, verbatim. Only for channels of the platform itself. */
  readonly authorization: string | undefined;
  /** Who called; undefined where callers are not authenticated. */
  readonly caller?: JobCaller | undefined;
  /** W3C trace context that calls of the current code carry: of the step, else of the job, else the caller's. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** Set for a job that the sidecar gave; its headers go with what is sent about the job. */
  readonly attempt?: PlatformAttempt | undefined;
  /** Present when telemetry makes spans of jobs. */
  readonly span?: JobSpan | undefined;
  /** Aborted when the job is cancelled or has timed out. Made on first use. */
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** The client that waits for the job; undefined where nobody can be asked anything. */
  readonly client?: JobClient | undefined;
  /** Where the job finds the platform; undefined: nowhere. */
  readonly platformSettings?: PlatformSettings | undefined;
  /** The author's `JobContext`, once it is made; see `jobContextOf`. */
  context: object | undefined;
}

/**
 * The job of the current async context. Read it when a call is made, never inside callbacks of pools, sockets or
 * retries: those run in the context of whichever job made them.
 */
export const currentJob: AsyncLocalStorage<CurrentJob> = new AsyncLocalStorage();
