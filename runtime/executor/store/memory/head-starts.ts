import type { ClaimOptions, NewJob } from "../job-store.ts";
import { oldestPending, type LiveJob } from "./live-job.ts";
import type { LiveJobs } from "./live-jobs.ts";

/** Positions of the jobs of tools with `@priority`: the time at which each joined its queue, less its head start. */
export class HeadStarts {
  readonly #now: () => number;
  readonly #live: LiveJobs;
  readonly #positions = new WeakMap<LiveJob, number>();
  /** False until the first job with a head start: the order of all jobs is then that of the store. */
  #hasAny = false;

  constructor({ now, live }: { readonly now: () => number; readonly live: LiveJobs }) {
    this.#now = now;
    this.#live = live;
  }

  /** Called when a job joins a queue. Has no effect on a job without a head start. */
  joins(live: LiveJob): void {
    const { headStart } = live.job;
    if (headStart === undefined) return;
    this.#hasAny = true;
    const position = this.#now() - headStart;
    this.#positions.set(live, position);
    this.#live.place(live, position);
  }

  /** Position of a job in the queue of its key: the smallest comes first, and jobs without a head start come last. */
  positionOf(live: LiveJob): number {
    return this.#positions.get(live) ?? Infinity;
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
   * Selects the next job that a worker may claim: the first in the queue of the tool that has the oldest waiting job.
   * Undefined if no job is waiting.
   */
  named(options: ClaimOptions): ClaimOptions | undefined {
    if (options.id !== undefined || !this.#hasAny) return options;
    const now = this.#now();
    const oldest = oldestPending(this.#live.inOrder(), now, options);
    if (oldest === undefined) return undefined;
    const { tool, headStart } = oldest.job;
    const first = headStart === undefined ? oldest : oldestPending(this.#live.turnsOf(tool), now, options);
    return { ...options, id: (first ?? oldest).job.id };
  }
}
