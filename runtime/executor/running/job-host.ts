import type { EventSink } from "../../job/sink.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import type { JobObserver } from "../../job/job-span.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import type { JobOutcome } from "../../job/job.ts";

/** The queue of a job. */
export interface JobLane<Running> {
  /** Releases the slot of a job that has ended or waits for its client. */
  release(): void;
  /** Takes a slot for a job that goes on after an answer, even if none is free: it has already begun. */
  retake(): void;
  /** Removes a waiting job. */
  remove(job: Running): void;
  /** Since when a job waits here for a slot, by `performance.now`; undefined for one that does not. */
  waitsSince(job: Running): number | undefined;
}

/** The parts of the executor that a running job uses. */
export interface JobHost<Running> {
  readonly sinks: readonly EventSink[];
  readonly observer: JobObserver | undefined;
  readonly platform?: PlatformSettings;
  /**
   * Called once when the job has ended. While its outcome is being stored, it returns a promise of the stored outcome,
   * and callers get that one.
   */
  ended(job: Running, outcome: JobOutcome): Promise<JobOutcome> | undefined | void;
  /** Opens the book of what a job keeps. */
  book?(job: Running): Promise<StepBook>;
  /** Called once before the job's end listeners. */
  told?(job: Running): void;
}
