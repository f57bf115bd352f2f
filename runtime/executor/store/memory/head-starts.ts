import type { ClaimOptions, NewJob } from "../job-store.ts";
import { oldestPending, type LiveJob } from "./live-job.ts";

/** Positions of the jobs of tools with `@priority`: the time at which each joined its queue, less its head start. */
export class HeadStarts {
  readonly #now: () => number;
  readonly #positions = new WeakMap<LiveJob, number>();
  /** False until the first job with a head start: the order of all jobs is then that of the store. */
  #hasAny = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Called when a job joins a queue. Has no effect on a job without a head start. */
  joins(live: LiveJob): void {
    const { headStart } = live.job;
    if (headStart === undefined) return;
    this.#hasAny = true;
    this.#positions.set(live, this.#now() - headStart);
  }

  /** Puts a job before all others of its queue. */
  comesFirst(live: LiveJob): void {
    if (this.#positions.has(live)) this.#positions.set(live, Number.MIN_SAFE_INTEGER);
  }

  /** Gives the request of a new job, and its head start, to a debounced job that has not started. */
  replaces(live: LiveJob, { input, caller, headStart }: NewJob): void {
    const position = this.#positions.get(live);
    if (headStart !== undefined && position !== undefined)
      this.#positions.set(live, position + (live.job.headStart ?? 0) - headStart);
    const more = { ...(caller !== undefined && { caller }), ...(headStart !== undefined && { headStart }) };
    live.job = { ...live.job, input, ...more };
  }

  /**
   * Returns the jobs of a queue in the order of their turns. The argument lists them in the order in which they joined
   * the queue.
   */
  sorted(jobs: Iterable<LiveJob>): readonly LiveJob[] {
    const all = [...jobs];
    if (!all.some((live) => this.#positions.has(live))) return all;
    return all.toSorted((one, other) => this.#of(one) - this.#of(other));
  }

  /**
   * Selects the next job that a worker may claim: the first in the queue of the tool that has the oldest waiting job.
   * Undefined if no job is waiting.
   */
  named(options: ClaimOptions, jobs: Iterable<LiveJob>): ClaimOptions | undefined {
    if (options.id !== undefined || !this.#hasAny) return options;
    const [all, now] = [[...jobs], this.#now()];
    const oldest = oldestPending(all, now, options);
    if (oldest === undefined) return undefined;
    const { tool, headStart } = oldest.job;
    const queue = headStart === undefined ? [oldest] : this.sorted(all.filter(({ job }) => job.tool === tool));
    return { ...options, id: (oldestPending(queue, now, options) ?? oldest).job.id };
  }

  #of(live: LiveJob): number {
    return this.#positions.get(live) ?? live.claimableFrom;
  }
}
