import type { RunningJob } from "./running-job.ts";

/** The jobs of an executor, oldest first. A chain: to put a job into a `Set` and take it out costs more than to validate it. */
export class LinkedJobs {
  #first: RunningJob | undefined;
  #last: RunningJob | undefined;

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

  /** Nothing happens when the job is not in the list. */
  remove(job: RunningJob): void {
    const { older, newer } = job;
    if (older === undefined && this.#first !== job) return;
    if (older === undefined) this.#first = newer;
    else older.newer = newer;
    if (newer === undefined) this.#last = older;
    else newer.older = older;
    job.older = undefined;
    job.newer = undefined;
  }

  /** A copy: jobs may leave the list while somebody walks through it. */
  toArray(): readonly RunningJob[] {
    const jobs: RunningJob[] = [];
    for (let job = this.#first; job !== undefined; job = job.newer) jobs.push(job);
    return jobs;
  }
}
