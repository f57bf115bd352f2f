import type { JobUrn } from "../../../runtime/job/job.ts";
import type { HeldJob } from "./job-token.ts";

interface Watched {
  readonly token: string;
  end: number;
  /** Number of the last event that was told. */
  last: number;
  /** The last number that was given out. */
  given: number;
}

/** What is known of the leases that were given or renewed here; the store alone decides what they are worth. */
export class LeaseWatch {
  readonly #milliseconds: number;
  readonly #watched = new Map<JobUrn, Watched>();

  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000;
  }

  /** A lease was given or renewed. */
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

  /** Whether an event that the store has taken was a new one, and not one that came twice. */
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

  /** A number for an event that came without one. */
  nextNumber(held: HeldJob): number {
    const known = this.#watched.get(held.lease.id);
    const watched = known?.token === held.lease.token ? known : this.see(held);
    watched.given = Math.max(watched.given, watched.last) + 1;
    return watched.given;
  }

  /** Whether the job was known. */
  forget(id: JobUrn): boolean {
    return this.#watched.delete(id);
  }

  /** The jobs whose lease should have run out by now. */
  late(): readonly JobUrn[] {
    const now = performance.now();
    return [...this.#watched].flatMap(([id, { end }]) => (end <= now ? [id] : []));
  }
}
