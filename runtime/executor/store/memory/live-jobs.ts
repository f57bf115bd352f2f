import type { JobUrn } from "../../../job/job.ts";
import type { LiveJob } from "./live-job.ts";

/** A job in the ring, or its anchor. */
interface Link {
  before: Link;
  after: Link;
}

type Linked = LiveJob & Link;

/**
 * Jobs that have not ended, by id. Those that may be claimed are also linked to a ring, in the order in which they can
 * be claimed: a `Map` keeps its deleted entries for a while, and each search from its start would pass all of them, and
 * all jobs that are held.
 */
export class LiveJobs extends Map<JobUrn, LiveJob> {
  readonly #anchor = {} as Link;

  constructor(jobs: ReadonlyMap<JobUrn, LiveJob>) {
    super();
    this.#anchor.before = this.#anchor.after = this.#anchor;
    for (const [id, live] of jobs) this.set(id, live);
  }

  /** Adds a job, as the last one in the order. */
  override set(id: JobUrn, live: LiveJob): this {
    const { before } = this.#anchor;
    this.#anchor.before = before.after = Object.assign(live, { before, after: this.#anchor });
    return super.set(id, live);
  }

  override delete(id: JobUrn): boolean {
    const live = this.get(id);
    if (live !== undefined) this.hold(live);
    return super.delete(id);
  }

  /** Takes a job out of the order, until it is deleted and added again. */
  hold(live: LiveJob): void {
    const link = live as Linked;
    link.before.after = link.after;
    link.after.before = link.before;
    link.before = link.after = link;
  }

  /** The jobs that are not held, in the order in which they can be claimed. */
  *inOrder(): Generator<LiveJob, void, undefined> {
    for (let at = this.#anchor.after; at !== this.#anchor; at = at.after) yield at as Linked;
  }
}
