import type { JobUrn } from "../../../runtime/job/job.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { HeldJob } from "../jobs/job-token.ts";

/**
 * Who of the workers that run under the platform holds which job, so that the end of a process is the end of its leases.
 * The store alone decides what a lease is worth: one that was lost or ended meanwhile costs nothing here.
 */
export class WorkerLeases {
  readonly #queue: JobQueue;
  readonly #held = new Map<string, Map<JobUrn, HeldJob>>();
  readonly #ended = new Set<string>();

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  /** A process that asks for jobs under this name begins. */
  begin(worker: string): void {
    this.#held.set(worker, new Map());
  }

  /** Whether a call comes from a process that is known to be dead: nobody reads its answer. */
  hasEnded(worker: string | undefined): boolean {
    return worker !== undefined && this.#ended.has(worker);
  }

  gave(worker: string | undefined, job: HeldJob): void {
    if (worker !== undefined) this.#held.get(worker)?.set(job.lease.id, job);
  }

  /** The worker is done with the job, or has given it back. */
  done(worker: string | undefined, job: HeldJob): void {
    if (worker !== undefined) this.#held.get(worker)?.delete(job.lease.id);
  }

  /**
   * The process is gone, and with it its leases.
   * @param detail What is known of its end, for the dead letter
   * @returns The jobs that it held
   */
  async end(worker: string, detail: string): Promise<readonly JobUrn[]> {
    const held = [...(this.#held.get(worker)?.values() ?? [])];
    this.#held.delete(worker);
    this.#ended.add(worker);
    const answers = await Promise.all(held.map((job) => this.#queue.lose(job, detail)));
    return held.flatMap(({ lease }, index) => (answers[index] === "ok" ? [lease.id] : []));
  }
}
