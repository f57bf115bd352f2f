import type { Submission } from "../../job/job.ts";
import type { JobStore } from "../store/job-store.ts";
import type { RunningJob } from "./running-job.ts";
import { weighJob } from "../store/weigh.ts";
import { overloadedError } from "./refusals.ts";

/** Maximum bytes of a job that a free slot takes when the budget is used up. */
const short = 20 * 1024;
/** Maximum bytes of all jobs, unless `TENON_QUEUE_BYTES` says otherwise. */
const usualMost = 64 * 1024 * 1024;

/** The budget that the executors of a process share. It is loaded with the first job that does not end at once. */
export interface SharedBudget {
  readonly most?: number;
  budget?: RequestBudget;
  loading?: Promise<void>;
}

/**
 * Counts the memory of unfinished jobs of all tools, including those that wait in a store in memory. When it is used
 * up, jobs are refused, except short ones that begin at once, since a flood of one tool must not stop the calls of
 * others. A quarter more is for these.
 */
export class RequestBudget {
  readonly #store: Pick<JobStore, "waitingBytes">;
  readonly #most: number;
  #held = 0;
  /** Jobs whose functions go on after their end; those that nothing refers to any more count no longer. */
  readonly #outlasting = new FinalizationRegistry<number>((bytes) => (this.#held -= bytes));

  /** @param store The store of the jobs. */
  constructor(store: Pick<JobStore, "waitingBytes">, most: number = usualMost) {
    this.#store = store;
    this.#most = most;
  }

  /**
   * Throws `overloaded` if a job may not be submitted now.
   *
   * @param beginsAtOnce True if a slot is free.
   * @param retryAfter Seconds after which callers may retry.
   */
  check(submission: Submission, beginsAtOnce: boolean, retryAfter: number): void {
    const { tool, attempt } = submission;
    // The platform hands out no more jobs than there are slots.
    if (this.#left > this.#most / 2 || attempt !== undefined) return;
    const bytes = weighJob(submission);
    const left = this.#left - bytes;
    if (left >= 0) return;
    // A durable job may be parked, and then waits without a slot.
    const isShort = beginsAtOnce && tool.definition.durable !== true && bytes < short;
    if (!isShort || left < this.#most / -4) throw overloadedError(retryAfter);
  }

  /** Throws `overloaded` if the store is in memory and has no room for a large message or another job. */
  checkStore(): void {
    if (this.#store.waitingBytes !== undefined && this.#left < this.#most / 64) throw overloadedError(3);
  }

  add(job: RunningJob): void {
    job.bytes = weighJob(job.submission);
    this.#held += job.bytes;
  }

  /** Has no effect on a job that is not counted. */
  remove(job: RunningJob): void {
    this.#held -= job.bytes;
    job.bytes = 0;
  }

  /**
   * Stops counting a job that has ended. The function of a cancelled job may go on with its request, so that the job
   * counts until the function ends; that of a parked job never ends.
   */
  ended(job: RunningJob): void {
    if (job.isCalled && job.parking === undefined) this.#outlasting.register(job, job.bytes, job);
    else this.remove(job);
  }

  /** Stops counting a job whose function has ended after it. */
  settled(job: RunningJob): void {
    this.#outlasting.unregister(job);
    this.remove(job);
  }

  get #left(): number {
    return this.#most - this.#held - (this.#store.waitingBytes ?? 0);
  }
}

interface BudgetedExecutor {
  readonly requests: SharedBudget;
  readonly store: Pick<JobStore, "waitingBytes">;
  readonly jobs: readonly RunningJob[];
}

/** Opens the shared budget of an executor, whose jobs have begun meanwhile. */
export function openBudget({ requests, store, jobs }: BudgetedExecutor): void {
  requests.budget = new RequestBudget(store, requests.most);
  for (const job of jobs) requests.budget.add(job);
}
