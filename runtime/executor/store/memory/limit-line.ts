import type { JobLimit, JobRate } from "../../../job/limits/job-limit.ts";
import { afterStarts, startOf, startsNow } from "../rate.ts";
import type { LiveJob } from "./live-job.ts";

/** The jobs of one key. */
export class Line {
  readonly key: string;
  readonly placed = new Set<LiveJob>();
  /** In the order in which they are let in. */
  readonly waiting = new Set<LiveJob>();
  readonly #now: () => number;
  #cap = Infinity;
  #rate: JobRate | undefined;
  /** When the bucket of the rate is full again. */
  #free = 0;

  constructor(key: string, limit: JobLimit | undefined, now: () => number) {
    this.key = key;
    this.#now = now;
    if (limit !== undefined) this.terms(limit);
  }

  /** The numbers of the last job that came count. */
  terms({ jobs = Infinity, rate }: JobLimit): void {
    this.#cap = jobs;
    this.#rate = rate;
  }

  /** True for a line that starts by a rate. */
  get isTimed(): boolean {
    return this.#rate !== undefined;
  }

  /** True when nothing is left to know of it. */
  get isEmpty(): boolean {
    return this.placed.size === 0 && this.waiting.size === 0 && this.#free <= this.#now();
  }

  /** Jobs that may be let in now. */
  get room(): number {
    const starts = this.#rate === undefined ? Infinity : startsNow(this.#rate, this.#free, this.#now());
    return Math.max(0, Math.min(this.#cap - this.placed.size, starts));
  }

  /** Milliseconds until the rate admits a job with `ahead` jobs before it; 0 without a rate. */
  wait(ahead: number): number {
    if (this.#rate === undefined) return 0;
    // A rate that has grown counts from now on.
    this.#free = afterStarts(this.#rate, this.#free, this.#now(), 0);
    return Math.max(0, startOf(this.#rate, this.#free, ahead) - this.#now());
  }

  place(live: LiveJob): void {
    this.placed.add(live);
    if (this.#rate !== undefined) this.#free = afterStarts(this.#rate, this.#free, this.#now(), 1);
  }
}
