import type { JobUrn } from "../../../runtime/job/job.ts";

/**
 * Jobs in their last attempt, each of which may be what ended its workers. A worker gets one of them at a time, so that
 * those that only ran beside it end in peace.
 */
export class Suspects {
  readonly #byHolder = new Map<string, JobUrn>();
  readonly #holders = new Map<JobUrn, string>();

  /** True while a worker has one. */
  isWith(holder: string): boolean {
    return this.#byHolder.has(holder);
  }

  /** Gives one to a worker; false when it has another one already. */
  give(holder: string, id: JobUrn): boolean {
    if (this.#byHolder.has(holder)) return false;
    this.#byHolder.set(holder, id);
    this.#holders.set(id, holder);
    return true;
  }

  /** Called when no worker holds a job any more; true when it was one of them, so that its worker may get the next. */
  ended(id: JobUrn): boolean {
    const holder = this.#holders.get(id);
    if (holder === undefined) return false;
    this.#holders.delete(id);
    return this.#byHolder.delete(holder);
  }
}
