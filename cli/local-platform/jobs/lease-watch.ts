import type { JobUrn } from "../../../runtime/job/job.ts";
import type { HeldJob } from "./job-token.ts";

interface Watched {
  readonly token: string;
  end: number;
  /** Number of the last event of the job that was passed on. */
  last: number;
  /** Last event number that was assigned in the job. */
  given: number;
}

/**
 * Leases that this process has handed out or renewed. They only serve notifications: the store decides whether a lease
 * is valid.
 */
export class LeaseWatch {
  readonly #milliseconds: number;
  readonly #watched = new Map<JobUrn, Watched>();

  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000;
  }

  /** Records a lease that was handed out or renewed. */
  see({ lease, lastSequence }: HeldJob): Watched {
    const end = performance.now() + this.#milliseconds;
    const known = this.#watched.get(lease.id);
    if (known?.token === lease.token) {
      known.end = end;
      return known;
    }
    const watched = { token: lease.token, end, last: lastSequence, given: lastSequence };
    this.#watched.set(lease.id, watched);
    return watched;
  }

  /** True when a stored event is new; false for a repetition. */
  isNews(held: HeldJob, sequence: number): boolean {
    const known = this.#watched.get(held.lease.id);
    const watched = known?.token === held.lease.token ? known : this.see(held);
    if (sequence <= watched.last) return false;
    watched.last = sequence;
    return true;
  }

  knows({ lease }: HeldJob): boolean {
    return this.#watched.get(lease.id)?.token === lease.token;
  }

  /** Assigns the next number to an event without one. */
  nextNumber(held: HeldJob): number {
    const known = this.#watched.get(held.lease.id);
    const watched = known?.token === held.lease.token ? known : this.see(held);
    watched.given = Math.max(watched.given, watched.last) + 1;
    return watched.given;
  }

  /** Records that another replica has renewed a lease that was handed out here. */
  seeAgain(id: JobUrn): void {
    const known = this.#watched.get(id);
    if (known !== undefined) known.end = performance.now() + this.#milliseconds;
  }

  /** Forgets a job; returns true if it was known. */
  forget(id: JobUrn): boolean {
    return this.#watched.delete(id);
  }

  /** The jobs whose lease should have expired by now. */
  late(): readonly JobUrn[] {
    const now = performance.now();
    return [...this.#watched].flatMap(([id, { end }]) => (end <= now ? [id] : []));
  }
}
