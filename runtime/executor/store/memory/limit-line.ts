import { mostAhead, type JobDebounce, type JobLimit, type JobRate } from "../../../job/limits/job-limit.ts";
import { afterStarts, startOf, startsNow } from "../rate.ts";
import type { LiveJob } from "./live-job.ts";

/** Queue of the jobs of one key. */
export class Line {
  readonly key: string;
  readonly placed = new Set<LiveJob>();
  /** Waiting jobs in the order in which they will be admitted. */
  readonly waiting = new Set<LiveJob>();
  readonly #now: () => number;
  /** Jobs that are delayed by a debounce: the time of the first request, and the time at which the job starts. */
  readonly #wakes = new Map<LiveJob, { readonly since: number; readonly at: number }>();
  #cap = Infinity;
  #rate: JobRate | undefined;
  /** Time at which the bucket of the rate is full again. */
  #free = 0;

  constructor(key: string, limit: JobLimit | undefined, now: () => number) {
    this.key = key;
    this.#now = now;
    if (limit !== undefined) this.terms(limit);
  }

  /** Sets the limits of the key. The limits of the job that was submitted last apply. */
  terms({ jobs = Infinity, rate }: JobLimit): void {
    this.#cap = jobs;
    this.#rate = rate;
  }

  /** True for a queue with a rate, or with debounced jobs: its jobs start at certain times. */
  get isTimed(): boolean {
    return this.#rate !== undefined || this.#wakes.size > 0;
  }

  /** Finds the debounced job that a further request of a caller joins. */
  joinable(owner: string | undefined): LiveJob | undefined {
    return [...this.#wakes.keys()].find(({ job }) => job.owner === owner);
  }

  /** Delays a job because of its debounce. */
  debounce(live: LiveJob, { wait, most = Infinity }: JobDebounce): void {
    const { since } = this.#wakes.get(live) ?? { since: this.#now() };
    this.#wakes.set(live, { since, at: Math.min(this.#now() + wait, since + most) });
  }

  /** True for a job that is not, or is no longer, delayed by a debounce. */
  isAwake(live: LiveJob): boolean {
    return (this.#wakes.get(live)?.at ?? 0) <= this.#now();
  }

  /** Milliseconds until the first job in the queue may start; 0 if it does not wait for a time. */
  get next(): number {
    const [first] = this.waiting;
    if (first === undefined) return 0;
    const wakes = [...this.#wakes.values()].map(({ at }) => at - this.#now()).filter((left) => left > 0);
    const waits = [this.wait(0), ...wakes].filter((left) => left > 0);
    return waits.length === 0 ? 0 : Math.min(...waits);
  }

  /** Number of jobs before a waiting job, of which at most {@link mostAhead} are counted. */
  aheadOf(live: LiveJob): number {
    let ahead = 0;
    for (const one of this.waiting) {
      if (one === live || ahead === mostAhead) break;
      ahead++;
    }
    return ahead;
  }

  /** Milliseconds until a job with `ahead` jobs before it may start. */
  waitOf(live: LiveJob, ahead: number): number {
    return Math.max(this.wait(ahead), (this.#wakes.get(live)?.at ?? 0) - this.#now());
  }

  /** Changes the order of the waiting jobs. */
  order(sorted: (waiting: readonly LiveJob[]) => Iterable<LiveJob>): void {
    const jobs = sorted([...this.waiting]);
    this.waiting.clear();
    for (const live of jobs) this.waiting.add(live);
  }

  /** Called when a job leaves the queue without starting. */
  remove(live: LiveJob): void {
    this.placed.delete(live);
    this.waiting.delete(live);
    this.#wakes.delete(live);
  }

  /** True when the queue has no jobs and no other state. */
  get isEmpty(): boolean {
    return this.placed.size === 0 && this.waiting.size === 0 && this.#free <= this.#now();
  }

  /** Number of jobs that may be admitted now. */
  get room(): number {
    const starts = this.#rate === undefined ? Infinity : startsNow(this.#rate, this.#free, this.#now());
    return Math.max(0, Math.min(this.#cap - this.placed.size, starts));
  }

  /** Milliseconds until the rate admits a job with `ahead` jobs before it; 0 without a rate. */
  wait(ahead: number): number {
    if (this.#rate === undefined) return 0;
    // If the rate has been increased, the new rate counts from now on.
    this.#free = afterStarts(this.#rate, this.#free, this.#now(), 0);
    return Math.max(0, startOf(this.#rate, this.#free, ahead) - this.#now());
  }

  place(live: LiveJob): void {
    this.placed.add(live);
    this.#wakes.delete(live);
    if (this.#rate !== undefined) this.#free = afterStarts(this.#rate, this.#free, this.#now(), 1);
  }
}
