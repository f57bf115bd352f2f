import type { JobUrn } from "../../../job/job.ts";
import type { Lease } from "../job-store.ts";
import { weighLive, type LiveJob } from "./live-job.ts";

/** Maximum bytes of these jobs, by an estimate; the last one is kept whatever it takes. */
const most = 8 * 1024 * 1024;

/**
 * The last jobs that were cancelled while they ran. A step that ends after the cancellation has still run, so it is
 * stored.
 */
export class CancelledJobs {
  readonly #jobs = new Map<JobUrn, LiveJob>();
  #bytes = 0;

  /** Adds a job, or counts it again. */
  add(live: LiveJob): void {
    if (live.token === undefined) return;
    this.#drop(live);
    live.bytes = weighLive(live);
    this.#bytes += live.bytes;
    this.#jobs.set(live.job.id, live);
    for (const oldest of this.#jobs.values()) {
      if (this.#bytes <= most || oldest === live) break;
      this.#drop(oldest);
    }
  }

  get(id: JobUrn): LiveJob | undefined {
    return this.#jobs.get(id);
  }

  #drop(live: LiveJob): void {
    if (this.#jobs.delete(live.job.id)) this.#bytes -= live.bytes;
  }

  /** Changes the job that ran under this lease when it was cancelled, if it is known. */
  change({ id, token }: Lease, change: (live: LiveJob) => void): void {
    const live = this.#jobs.get(id);
    if (live === undefined || live.token !== token) return;
    change(live);
    this.add(live);
  }
}
