import type { JobUrn } from "../../../job/job.ts";
import type { Waiting } from "../../../job/steps/kept-step.ts";
import { inLineOf } from "../in-line.ts";
import { limitError, replacedReason } from "../refusal.ts";
import type { LiveJob } from "./live-job.ts";

/** The jobs of one key. */
interface Line {
  /** Jobs at a time; that of the last one that came counts. */
  cap: number;
  placed: number;
  /** In the order in which they are let in. */
  readonly waiting: Set<LiveJob>;
}

export interface MemoryLimitsOptions {
  /** Puts a job at the end of those that can be claimed. @param isNew Nobody else may claim it yet */
  readonly letIn: (live: LiveJob, isNew: boolean) => void;
  /** Takes a job out of those that can be claimed. */
  readonly takeOut: (live: LiveJob) => void;
  readonly cancel: (id: JobUrn, reason: string) => void;
}

/** Lets jobs of a key in, as many at a time as its limit says. Loaded with the first job that has a limit. */
export class MemoryLimits {
  /** Jobs that wait for their turn, which nobody can claim. */
  readonly held = new Map<JobUrn, LiveJob>();
  readonly #options: MemoryLimitsOptions;
  readonly #lines = new Map<string, Line>();
  /** Jobs that have a place. */
  readonly #placed = new Set<LiveJob>();
  /** Jobs that have left, and come back when they can be claimed. */
  readonly #away = new Set<LiveJob>();

  constructor(options: MemoryLimitsOptions) {
    this.#options = options;
  }

  /** Makes room for a new job where it replaces others. Throws `too-many-requests` for one that must not wait. */
  makeRoom(live: LiveJob): void {
    const { limit } = live.job;
    if (limit === undefined) return;
    const line = this.#lines.get(limit.key);
    if (line === undefined) return;
    line.cap = limit.jobs;
    this.#letIn(limit.key, line);
    while (line.placed >= line.cap && limit.beyond !== undefined) {
      const [oldest] = [...this.#placed].filter(({ job }) => job.limit?.key === limit.key);
      if (limit.beyond === "refuse" || oldest === undefined) throw limitError(limit);
      this.#options.cancel(oldest.job.id, replacedReason);
    }
  }

  /**
   * Puts a job into the line of its key; it may be let in at once. One that has lost its worker stands at the front.
   */
  enter(live: LiveJob, how: "new" | "lost" | "back"): void {
    const { limit } = live.job;
    if (limit === undefined) return;
    const line = this.#lines.get(limit.key) ?? { cap: limit.jobs, placed: 0, waiting: new Set() };
    this.#lines.set(limit.key, line);
    if (this.#placed.delete(live)) line.placed--;
    this.#away.delete(live);
    this.#options.takeOut(live);
    const others = how === "lost" ? [...line.waiting] : [];
    for (const one of others) line.waiting.delete(one);
    for (const one of [live, ...others]) line.waiting.add(one);
    this.held.set(live.job.id, live);
    this.#letIn(limit.key, line, how === "new" ? live : undefined);
  }

  /** Called when a job has ended, or leaves the process until it can be claimed. */
  leave(live: LiveJob, comesBack = false): void {
    const { limit } = live.job;
    const line = limit && this.#lines.get(limit.key);
    if (comesBack) this.#away.add(live);
    else this.#away.delete(live);
    if (limit === undefined || line === undefined) return;
    if (this.#placed.delete(live)) line.placed--;
    line.waiting.delete(live);
    this.held.delete(live.job.id);
    this.#letIn(limit.key, line);
  }

  /** Lets jobs that were away stand in line again. */
  wake(now: number): void {
    for (const live of this.#away) {
      if (live.claimableFrom > now) continue;
      live.waiting = undefined;
      this.enter(live, "back");
    }
  }

  /** The line in which a job waits; undefined for one that does not. */
  waitingOf({ job }: LiveJob): Waiting | undefined {
    if (job.limit === undefined || !this.held.has(job.id)) return undefined;
    let ahead = 0;
    for (const one of this.#lines.get(job.limit.key)?.waiting ?? []) {
      if (one.job.id === job.id) break;
      ahead++;
    }
    return inLineOf(job.limit.key, ahead);
  }

  #letIn(key: string, line: Line, newest?: LiveJob): void {
    for (const live of line.waiting) {
      if (line.placed >= line.cap) return;
      line.waiting.delete(live);
      this.held.delete(live.job.id);
      this.#placed.add(live);
      line.placed++;
      this.#options.letIn(live, live === newest);
    }
    if (line.placed === 0 && line.waiting.size === 0 && this.#lines.get(key) === line) this.#lines.delete(key);
  }
}
