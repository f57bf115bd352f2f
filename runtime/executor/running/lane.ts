import { ToolError } from "../../base/errors.ts";
import type { JobLane } from "./job-host.ts";
import type { RunningJob } from "./running-job.ts";

export interface LaneOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
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
  readonly #lent = new Set<RunningJob>();
  #pumping = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Number of free slots; 0 while other jobs wait. */
  get free(): number {
    return this.#waiting.size > 0 ? 0 : Math.max(0, this.#options.maxRunning - this.#running);
  }

  /** Throws `overloaded` when as many jobs have not ended as there are slots and places in the queue. */
  checkRoom(): void {
    const { maxRunning, maxWaiting } = this.#options;
    if (this.#running + this.#waiting.size + this.#lent.size < maxRunning + maxWaiting) return;
    throw new ToolError("overloaded", "The service is busy. Try again later.", {
      retryAfter: this.#options.retryAfter,
    });
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
    this.#lent.delete(job);
  }

  waitsSince(job: RunningJob): number | undefined {
    return this.#waiting.get(job);
  }

  /** Takes a job out of the queue, since it waits in the store; it counts as waiting until `remove`. */
  lend(job: RunningJob): void {
    this.#waiting.delete(job);
    this.#lent.add(job);
  }

  /** Puts a job that does not wait in the store any more into the queue of this process. */
  takeBack(job: RunningJob): void {
    this.#lent.delete(job);
    this.add(job);
  }
}
