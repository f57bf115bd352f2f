import type { EventSink } from "../../job/sink.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import type { JobObserver } from "../../job/job-span.ts";
import type { JobOutcome } from "../../job/job.ts";

/** The queue that a job stands in. */
export interface JobLane<Running> {
  /** A job that held a place has ended, or waits for its client. */
  release(): void;
  /** A job that had waited for its client goes on at once, also where no place is free: it has begun already. */
  retake(): void;
  /** A job that waited will not run. */
  remove(job: Running): void;
}

/** What a running job needs of its executor. */
export interface JobHost<Running> {
  readonly sinks: readonly EventSink[];
  readonly observer: JobObserver | undefined;
  readonly platform?: PlatformSettings;
  /**
   * The job has ended, by itself or not; called once. Where its end is being written it resolves to what is on record
   * then, and callers are told that.
   */
  ended(job: Running, outcome: JobOutcome): Promise<JobOutcome> | undefined | void;
  /** Callers are told now; called once, before its listeners. */
  told?(job: Running): void;
}
