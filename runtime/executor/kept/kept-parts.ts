import type { Job, JobOutcome } from "../../job/job.ts";
import type { Parking, Waiting } from "../../job/steps/kept-step.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { JobRecord } from "../store/job-store.ts";
import type { FollowedJobs, FollowedJobsOptions } from "./followed-jobs.ts";
import { loadKept, type KeptCode } from "./load-kept.ts";
import type * as QuestionsModule from "./keep-questions.ts";
import type { StoreRounds, StoreRoundsOptions } from "./store-rounds.ts";
import type { MaybePromise } from "../store/maybe-promise.ts";

type QuestionCode = typeof QuestionsModule;

export interface KeptPartsOptions extends FollowedJobsOptions, StoreRoundsOptions {}

/** Components for stored jobs, created when the first stored job needs them. */
export class KeptParts {
  readonly #options: KeptPartsOptions;
  /** True once the periodic work on the store has begun. */
  hasRounds = false;
  #followed: FollowedJobs | undefined;
  #rounds: StoreRounds | undefined;
  #started: Promise<StoreRounds> | undefined;

  constructor(options: KeptPartsOptions) {
    this.#options = options;
  }

  /**
   * Makes a job from a record, or from a job that was just stored without a lease. Returns a promise only if the code
   * has to be loaded. Throws if this process does not have the tool.
   */
  open(job: JobRecord | RunningJob, waiting?: Waiting): MaybePromise<Job> {
    return this.#withFollowed((followed) => ("lane" in job ? followed.openLent(job, waiting) : followed.open(job)));
  }

  /** Returns the stored outcome of a job that ran here, but that another worker has ended or will end. */
  async recorded(job: RunningJob, own: JobOutcome): Promise<JobOutcome> {
    return this.#withFollowed((followed) => followed.lost(job, own));
  }

  /** Starts the periodic work on the store; repeated calls have no effect. */
  rounds(): Promise<StoreRounds> {
    if (this.#started !== undefined) return this.#started;
    const begin = (code: KeptCode): StoreRounds => {
      const rounds = (this.#rounds ??= new code.StoreRounds(this.#options));
      this.hasRounds = true;
      rounds.start();
      return rounds;
    };
    const loaded = loadKept();
    const started = loaded instanceof Promise ? loaded.then(begin) : Promise.resolve(begin(loaded));
    // A failed start is forgotten, so that the next stored job tries again.
    started.catch(() => (this.#started = undefined));
    return (this.#started = started);
  }

  /** Called when a parked job has left the process: schedules a claim for the time when the job can continue. */
  parked(parking: Parking): void {
    this.#rounds?.parked(parking);
  }

  /** Loads the code for jobs that ask their client, and calls it. */
  async ask<T>(call: (code: QuestionCode) => T): Promise<Awaited<T>> {
    const code = await import("./keep-questions.ts");
    return await this.#options.outside(() => call(code));
  }

  /** Called when a slot of a tool is free; has no effect before the periodic work has begun. */
  freed(tool: string): void {
    this.#rounds?.freed(tool);
  }

  async stopRounds(): Promise<void> {
    await (await this.#started?.catch(() => undefined))?.stop();
  }

  /** Stops following jobs. Callers that still wait are not notified. */
  stopFollowing(): void {
    this.#followed?.stop();
  }

  #withFollowed<T>(use: (followed: FollowedJobs) => T): MaybePromise<Awaited<T>> | T {
    const open = (code: KeptCode): T => {
      const followed = (this.#followed ??= new code.FollowedJobs(this.#options));
      return this.#options.outside(() => use(followed));
    };
    const loaded = loadKept();
    return loaded instanceof Promise ? (loaded.then(open) as Promise<Awaited<T>>) : open(loaded);
  }
}
