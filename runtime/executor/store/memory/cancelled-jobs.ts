import type { JobUrn } from "../../../job/job.ts";
import type { Lease } from "../job-store.ts";
import type { LiveJob } from "./live-job.ts";

const most = 100;

/**
 * The last jobs that were cancelled while they ran. A step that ends after the cancellation has still run, so it is
 * stored.
 */
export class CancelledJobs {
  readonly #jobs = new Map<JobUrn, LiveJob>();

  add(live: LiveJob): void {
    if (live.token === undefined) return;
    this.#jobs.set(live.job.id, live);
    const [oldest] = this.#jobs.size > most ? this.#jobs.keys() : [];
    if (oldest !== undefined) this.#jobs.delete(oldest);
  }

  get(id: JobUrn): LiveJob | undefined {
    return this.#jobs.get(id);
  }

  /** Returns the cancelled job that ran under this lease when it was cancelled. */
  of({ id, token }: Lease): LiveJob | undefined {
    const live = this.#jobs.get(id);
    return live?.token === token ? live : undefined;
  }
}
