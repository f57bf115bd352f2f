import type { JobDebounce, JobLimit, JobRate } from "../../../job/limits/job-limit.ts";
import { afterStarts, startOf, startsNow } from "../rate.ts";
import type { LiveJob } from "./live-job.ts";

/** The jobs of one key. */
export class Line {
  readonly key: string;
  readonly placed = new Set<LiveJob>();
  /** In the order in which they are let in. */
  readonly waiting = new Set<LiveJob>();
  readonly #now: () => number;
  /** Jobs that wait for another request: when the first one came, and when they start. */
  readonly #wakes = new Map<LiveJob, { readonly since: number; readonly at: number }>();
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

  /** True for a line that starts by a rate, or whose jobs wait for other requests. */
  get isTimed(): boolean {
    return this.#rate !== undefined || this.#wakes.size > 0;
  }

  /** The job that waits for another request of a caller. */
  joinable(owner: string | undefined): LiveJob | undefined {
    return [...this.#wakes.keys()].find(({ job }) => job.owner === owner);
  }

  /** Lets a job wait for another request. */
  debounce(live: LiveJob, { wait, most = Infinity }: JobDebounce): void {
    const { since } = this.#wakes.get(live) ?? { since: this.#now() };
    this.#wakes.set(live, { since, at: Math.min(this.#now() + wait, since + most) });
  }

  /** True for a job that does not wait for another request, or no longer. */
  isAwake(live: LiveJob): boolean {
    return (this.#wakes.get(live)?.at ?? 0) <= this.#now();
  }

  /** Milliseconds until the first one in the line may start by time; 0 for none that has one. */
  get next(): number {
    const [first] = this.waiting;
    if (first === undefined) return 0;
    const wakes = [...this.#wakes.values()].map(({ at }) => at - this.#now()).filter((left) => left > 0);
    const waits = [this.wait(0), ...wakes].filter((left) => left > 0);
    return waits.length === 0 ? 0 : Math.min(...waits);
  }

  /** Milliseconds until a job that has so many before it may start by time. */
  waitOf(live: LiveJob, ahead: number): number {
    return Math.max(this.wait(ahead), (this.#wakes.get(live)?.at ?? 0) - this.#now());
  }

  /** Called when a job leaves the line without a place. */
  remove(live: LiveJob): void {
    this.placed.delete(live);
    this.waiting.delete(live);
    this.#wakes.delete(live);
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
    this.#wakes.delete(live);
    if (this.#rate !== undefined) this.#free = afterStarts(this.#rate, this.#free, this.#now(), 1);
  }
}
