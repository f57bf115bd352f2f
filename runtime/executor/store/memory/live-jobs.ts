import type { JobUrn } from "../../../job/job.ts";
import type { LiveJob } from "./live-job.ts";
import { Turns, type Turn } from "./turns.ts";

/** A job in the ring, or its anchor. */
interface Link {
  before: Link;
  after: Link;
}

/** `turn`: set for a job with a head start. */
type Linked = LiveJob & Link & { turn?: Turn | undefined };

/**
 * Jobs that have not ended, by id. Those that may be claimed are also linked to a ring, in the order in which they can
 * be claimed: a `Map` keeps its deleted entries for a while, and each search from its start would pass all of them, and
 * all jobs that are held.
 */
export class LiveJobs extends Map<JobUrn, LiveJob> {
  readonly #anchor = {} as Link;
  /** Jobs in the ring that have a head start, by their tools. */
  readonly #turns = new Map<string, Turns>();
  #placed = 0;

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
    this.#displace(link);
    link.before.after = link.after;
    link.after.before = link.before;
    link.before = link.after = link;
  }

  /** Gives a job a position among the jobs of its tool, until it is held or deleted. The smallest comes first. */
  place(live: LiveJob, position: number): void {
    const link = live as Linked;
    this.#displace(link);
    const { tool } = live.job;
    const turns = this.#turns.get(tool) ?? new Turns();
    this.#turns.set(tool, turns);
    link.turn = { live, position, arrival: ++this.#placed };
    turns.add(link.turn);
  }

  #displace(link: Linked): void {
    if (link.turn !== undefined) this.#turns.get(link.job.tool)?.delete(link.turn);
    link.turn = undefined;
  }

  /** The jobs of a tool that have a position, in the order of their positions. */
  turnsOf(tool: string): Iterable<LiveJob> {
    return this.#turns.get(tool) ?? [];
  }

  /** The jobs that are not held, in the order in which they can be claimed. */
  *inOrder(): Generator<LiveJob, void, undefined> {
    for (let at = this.#anchor.after; at !== this.#anchor; at = at.after) yield at as Linked;
  }
}
