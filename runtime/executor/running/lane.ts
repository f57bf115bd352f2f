import type { JobLane } from "./job-host.ts";
import { overloadedError } from "./refusals.ts";
import type { SharedBudget } from "./request-budget.ts";
import type { RunningJob } from "./running-job.ts";
import { turnOf } from "./turn-of.ts";

export interface LaneOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly requests: SharedBudget;
  /** Seconds after which callers may retry; sent with the error `overloaded`. */
  readonly retryAfter: number;
  readonly run: (job: RunningJob) => void;
  /**
   * Calls a function outside of every job and request, so that a waiting job does not inherit the context that frees
   * its slot.
   */
  readonly outside: <T>(callback: () => T) => T;
  /** Order in which waiting jobs run; default: that of their arrival. */
  readonly order?: ((waiting: ReadonlyMap<RunningJob, number>) => Iterable<RunningJob>) | undefined;
}

/** Queue of one tool's jobs: limits how many run at the same time, and how many wait. */
export class Lane implements JobLane<RunningJob> {
  readonly #options: LaneOptions;
  #running = 0;
  /** Waiting jobs in order of arrival, each with its time of arrival. */
  readonly #waiting = new Map<RunningJob, number>();
  /** Jobs that were submitted here and wait in the store for a limit, a process with a free slot, or its answer. */
  readonly #lent = new Map<RunningJob, string | undefined>();
  /** Number of these jobs by the key of their limit. */
  readonly #ofKey = new Map<string, number>();
  #pumping = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Number of free slots; 0 while other jobs wait. */
  get free(): number {
    return this.#waiting.size > 0 ? 0 : Math.max(0, this.#options.maxRunning - this.#running);
  }

  /**
   * Throws `overloaded` when the memory for requests is used up, or when as many jobs have not ended as there are slots
   * and places in the queue. Keys of a limit with less than a tenth of the places have as many again, so that a backlog
   * of one key refuses nobody else.
   */
  checkRoom(job: RunningJob): void {
    const { maxRunning, maxWaiting, requests, retryAfter } = this.#options;
    requests.budget?.check(job, this.free > 0, retryAfter);
    const beyond = this.#running + this.#waiting.size + this.#lent.size - maxRunning - maxWaiting;
    if (beyond < 0) return;
    const key = beyond < maxWaiting ? turnOf(job)?.limit?.key : undefined;
    if (key !== undefined && (this.#ofKey.get(key) ?? 0) < Math.max(1, maxWaiting / 10)) return;
    throw overloadedError(retryAfter);
  }

  /** Throws `overloaded` when as many jobs wait in the store as may wait here. */
  checkStored(waiting: number): void {
    const { maxWaiting, retryAfter } = this.#options;
    if (waiting >= maxWaiting) throw overloadedError(retryAfter);
  }

  /** Runs the job now, or queues it. */
  add(job: RunningJob): void {
    if (this.#running < this.#options.maxRunning && this.#waiting.size === 0) {
      this.#running++;
      this.#options.run(job);
      return;
    }
    this.#waiting.set(job, performance.now());
  }

  /** Passes the slot of an ended job to the next one. */
  release(): void {
    this.#running--;
    if (this.#waiting.size > 0 && !this.#pumping) this.#options.outside(() => this.#pump());
  }

  retake(): void {
    this.#running++;
  }

  #pump(): void {
    // A loop instead of recursion: jobs of synchronous tools end while they are started, and would overflow the stack.
    this.#pumping = true;
    try {
      for (const job of this.#options.order?.(this.#waiting) ?? this.#waiting.keys()) {
        if (this.#running >= this.#options.maxRunning) break;
        this.#waiting.delete(job);
        this.#running++;
        this.#options.run(job);
      }
    } finally {
      this.#pumping = false;
    }
  }

  /** Removes a job that waits here, or in the store. */
  remove(job: RunningJob): void {
    this.#waiting.delete(job);
    this.#getBack(job);
  }

  waitsSince(job: RunningJob): number | undefined {
    return this.#waiting.get(job);
  }

  /** Takes a job out of the queue, since it waits in the store; it counts as waiting until `remove`. */
  lend(job: RunningJob): void {
    this.#waiting.delete(job);
    const key = turnOf(job)?.limit?.key;
    this.#lent.set(job, key);
    if (key !== undefined) this.#ofKey.set(key, (this.#ofKey.get(key) ?? 0) + 1);
  }

  /** Puts a job that does not wait in the store any more into the queue of this process. */
  takeBack(job: RunningJob): void {
    this.#getBack(job);
    this.add(job);
  }

  #getBack(job: RunningJob): void {
    const key = this.#lent.get(job);
    if (!this.#lent.delete(job) || key === undefined) return;
    const left = (this.#ofKey.get(key) ?? 0) - 1;
    if (left > 0) this.#ofKey.set(key, left);
    else this.#ofKey.delete(key);
  }
}
