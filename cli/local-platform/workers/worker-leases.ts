import type { JobUrn } from "../../../runtime/job/job.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { HeldJob } from "../jobs/job-token.ts";

/**
 * Maps workers under the platform to their jobs, so that a process's leases end with the process. Ending an expired
 * lease has no effect, since only the store decides whether a lease is valid.
 */
export class WorkerLeases {
  readonly #queue: JobQueue;
  readonly #held = new Map<string, Map<JobUrn, HeldJob>>();
  readonly #ended = new Set<string>();

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  /** Registers a process that asks for jobs under this name. */
  begin(worker: string): void {
    this.#held.set(worker, new Map());
  }

  /** True for a call of a process that has ended, so that nobody would read the answer. */
  hasEnded(worker: string | undefined): boolean {
    return worker !== undefined && this.#ended.has(worker);
  }

  gave(worker: string | undefined, job: HeldJob): void {
    if (worker !== undefined) this.#held.get(worker)?.set(job.lease.id, job);
  }

  /** Called when the worker has finished or released the job. */
  done(worker: string | undefined, job: HeldJob): void {
    if (worker !== undefined) this.#held.get(worker)?.delete(job.lease.id);
  }

  /**
   * Ends the leases of a process that has ended.
   *
   * @param detail Description of the end, for the dead letter
   * @returns The jobs that the process held
   */
  async end(worker: string, detail: string): Promise<readonly JobUrn[]> {
    const held = [...(this.#held.get(worker)?.values() ?? [])];
    this.#held.delete(worker);
    this.#ended.add(worker);
    const answers = await Promise.all(held.map((job) => this.#queue.lose(job, detail)));
    return held.flatMap(({ lease }, index) => (answers[index] === "ok" ? [lease.id] : []));
  }
}
