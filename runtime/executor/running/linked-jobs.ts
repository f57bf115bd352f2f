import type { RunningJob } from "./running-job.ts";

/**
 * The jobs of an executor, oldest first. A linked list, since adding a job to a `Set` and removing it would cost more
 * than validating it.
 */
export class LinkedJobs {
  #first: RunningJob | undefined;
  #last: RunningJob | undefined;
  #emptied: (() => void) | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(job: RunningJob): void {
    const last = this.#last;
    job.older = last;
    if (last === undefined) this.#first = job;
    else last.newer = job;
    this.#last = job;
  }

  /** Has no effect when the job is not in the list. */
  remove(job: RunningJob): void {
    const { older, newer } = job;
    if (older === undefined && this.#first !== job) return;
    if (older === undefined) this.#first = newer;
    else older.newer = newer;
    if (newer === undefined) this.#last = older;
    else newer.older = older;
    job.older = undefined;
    job.newer = undefined;
    if (this.#first === undefined) this.#emptied?.();
  }

  /** Resolves when the list is empty, at the latest after `ms`. */
  async whenEmpty(ms: number): Promise<void> {
    if (this.isEmpty || ms <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#emptied = resolve;
      timer = setTimeout(resolve, ms);
    });
    this.#emptied = undefined;
    clearTimeout(timer);
  }

  /** Returns a copy: jobs may leave the list during the iteration. */
  toArray(): readonly RunningJob[] {
    const jobs: RunningJob[] = [];
    for (let job = this.#first; job !== undefined; job = job.newer) jobs.push(job);
    return jobs;
  }
}
