import type { JobDebounce } from "../../../job/limits/job-limit.ts";
import { DueTimes } from "./due-times.ts";
import type { LiveJob } from "./live-job.ts";

interface Debounced {
  readonly live: LiveJob;
  /** Time of the first request. */
  readonly since: number;
}

/** Debounced jobs of one key that have not started. Each caller has one at most. */
export class DebouncedJobs {
  readonly #byOwner = new Map<string | undefined, Debounced>();
  /** Jobs whose time has not come, by the time at which they may start. */
  readonly #asleep = new DueTimes<LiveJob>();

  /** Time at which the next job may start; `Infinity` if there is none. */
  get next(): number {
    return this.#asleep.next;
  }

  /** Finds the job that a further request of a caller joins. */
  joinable(owner: string | undefined): LiveJob | undefined {
    return this.#byOwner.get(owner)?.live;
  }

  /** Delays a job, or delays it anew. */
  delay(live: LiveJob, { wait, most = Infinity }: JobDebounce, now: number): void {
    const known = this.#byOwner.get(live.job.owner);
    const since = known?.live === live ? known.since : now;
    this.#byOwner.set(live.job.owner, { live, since });
    this.#asleep.set(live, Math.min(now + wait, since + most));
  }

  /** Time at which a job may start; undefined for a job that is not, or is no longer, delayed. */
  startOf(live: LiveJob): number | undefined {
    return this.#asleep.of(live);
  }

  /** Returns the jobs whose time has come, once. Further requests still join them. */
  due(now: number): Iterable<LiveJob> {
    return this.#asleep.due(now);
  }

  /** Called when a job starts, or leaves the queue. */
  delete(live: LiveJob): void {
    this.#asleep.delete(live);
    if (this.joinable(live.job.owner) === live) this.#byOwner.delete(live.job.owner);
  }
}
