import { mostAhead } from "../../../contract/wait-text.ts";
import type { JobDebounce, JobLimit, JobRate } from "../../../job/limits/job-limit.ts";
import { afterStarts, startOf, startsNow } from "../rate.ts";
import { DebouncedJobs } from "./debounced-jobs.ts";
import type { LiveJob } from "./live-job.ts";
import { Turns, type Turn } from "./turns.ts";

/** Queue of the jobs of one key. */
export class Line {
  readonly key: string;
  readonly placed = new Set<LiveJob>();
  /** Waiting jobs in the order in which they will be admitted. */
  readonly waiting = new Turns();
  /** Those of the waiting jobs that no debounce delays, in the same order. */
  readonly #awake = new Turns();
  readonly #turns = new Map<LiveJob, Turn>();
  readonly #now: () => number;
  /** Created with the first debounced job. */
  #debounced: DebouncedJobs | undefined;
  #arrivals = 0;
  #lost = 0;
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

  /** Finds the debounced job that a further request of a caller joins. */
  joinable(owner: string | undefined): LiveJob | undefined {
    return this.#debounced?.joinable(owner);
  }

  /** Delays a job because of its debounce. */
  debounce(live: LiveJob, debounce: JobDebounce): void {
    const turn = this.#turns.get(live);
    if (turn !== undefined) this.#awake.delete(turn);
    this.#debounced ??= new DebouncedJobs();
    this.#debounced.delay(live, debounce, this.#now());
  }

  /** Adds a job to the waiting ones, or moves it to another position. The smallest position comes first. */
  add(live: LiveJob, position: number): void {
    const known = this.#turns.get(live);
    if (known?.position === position) return;
    this.#stand({ live, position, arrival: known?.arrival ?? ++this.#arrivals });
  }

  /** Puts a job that has lost its worker before all others. */
  addFirst(live: LiveJob): void {
    this.placed.delete(live);
    this.#stand({ live, position: -Infinity, arrival: --this.#lost });
  }

  #stand(turn: Turn): void {
    this.#unqueue(turn.live);
    this.#turns.set(turn.live, turn);
    this.waiting.add(turn);
    if (this.#debounced?.startOf(turn.live) === undefined) this.#awake.add(turn);
  }

  #unqueue(live: LiveJob): void {
    const turn = this.#turns.get(live);
    if (turn === undefined) return;
    this.#turns.delete(live);
    this.waiting.delete(turn);
    this.#awake.delete(turn);
  }

  isWaiting(live: LiveJob): boolean {
    return this.#turns.has(live);
  }

  /** Time at which the next waiting job may start; `Infinity` if none waits for a time. */
  get next(): number {
    if (this.#awake.size === 0) return this.#debounced?.next ?? Infinity;
    const wait = this.wait(0);
    return wait > 0 || this.room > 0 ? this.#now() + wait : Infinity;
  }

  /** Number of jobs before a waiting job, of which at most {@link mostAhead} are counted. */
  aheadOf(live: LiveJob): number {
    const turn = this.#turns.get(live);
    return turn === undefined ? 0 : Math.min(mostAhead, this.waiting.before(turn));
  }

  /** Milliseconds until a job with `ahead` jobs before it may start. */
  waitOf(live: LiveJob, ahead: number): number {
    return Math.max(this.wait(ahead), (this.#debounced?.startOf(live) ?? 0) - this.#now());
  }

  /** Called when a job leaves the queue without starting, or has ended. */
  remove(live: LiveJob): void {
    this.placed.delete(live);
    this.#unqueue(live);
    this.#debounced?.delete(live);
  }

  /** True when the queue has no jobs and no other state. */
  get isEmpty(): boolean {
    return this.hasNoJobs && this.#free <= this.#now();
  }

  get hasNoJobs(): boolean {
    return this.placed.size === 0 && this.waiting.size === 0;
  }

  /** Time at which the bucket of the rate is full again. */
  get full(): number {
    return this.#free;
  }

  /** Number of jobs that may be admitted now. */
  get room(): number {
    const starts = this.#rate === undefined ? Infinity : startsNow(this.#rate, this.#free, this.#now());
    return Math.max(0, Math.min(this.#cap - this.placed.size, starts));
  }

  /** True if a new job may start at once: there is room, and no job that waits may start before it. */
  get isOpen(): boolean {
    return this.#awake.size === 0 && this.room > 0;
  }

  /** Milliseconds until the rate admits a job with `ahead` jobs before it; 0 without a rate. */
  wait(ahead: number): number {
    if (this.#rate === undefined) return 0;
    // If the rate has been increased, the new rate counts from now on.
    this.#free = afterStarts(this.#rate, this.#free, this.#now(), 0);
    return Math.max(0, startOf(this.#rate, this.#free, ahead) - this.#now());
  }

  /** Admits the first waiting job that may start now. Returns undefined if there is none, or no room. */
  admit(): LiveJob | undefined {
    this.#wake();
    const { first } = this.#awake;
    if (first === undefined || this.room === 0) return undefined;
    this.#unqueue(first);
    this.place(first);
    return first;
  }

  #wake(): void {
    for (const live of this.#debounced?.due(this.#now()) ?? []) {
      const turn = this.#turns.get(live);
      if (turn !== undefined) this.#awake.add(turn);
    }
  }

  place(live: LiveJob): void {
    this.placed.add(live);
    this.#debounced?.delete(live);
    if (this.#rate !== undefined) this.#free = afterStarts(this.#rate, this.#free, this.#now(), 1);
  }
}
