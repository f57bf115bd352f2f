import type { EventSink } from "../../job/sink.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import type { JobObserver } from "../../job/job-span.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import type { JobOutcome } from "../../job/job.ts";

/** The queue of a job. */
export interface JobLane<Running> {
  /** Releases the slot of a job that has ended or waits for its client. */
  release(): void;
  /** Takes a slot for a job that continues after an answer, even if none is free: it has already begun. */
  retake(): void;
  /** Removes a waiting job. */
  remove(job: Running): void;
  /** Time at which a job began to wait here for a slot, by `performance.now`; undefined if it does not wait here. */
  waitsSince(job: Running): number | undefined;
}

/** The parts of the executor that a running job uses. */
export interface JobHost<Running> {
  readonly sinks: readonly EventSink[];
  readonly observer: JobObserver | undefined;
  readonly platform?: PlatformSettings;
  /**
   * Called once when the job has ended. If the store is asynchronous, returns a promise of the stored outcome, which is
   * the outcome that callers get.
   */
  ended(job: Running, outcome: JobOutcome): Promise<JobOutcome> | undefined | void;
  /** Called when the function of a job ends after its job. */
  returned?(job: Running): void;
  /** Cancels a job in the store, which this process has stopped to run. */
  drop?(job: Running, reason: string): void;
  /** Opens the record of the steps that a job has stored. */
  book?(job: Running): Promise<StepBook>;
  /** Called once before the job's end listeners. */
  told?(job: Running): void;
}
