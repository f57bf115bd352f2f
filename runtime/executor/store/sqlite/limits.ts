import type { JobUrn } from "../../../job/job.ts";
import { jobUrnPrefix } from "../../../job/job-id.ts";
import type { JobLimit } from "../../../job/limits/job-limit.ts";
import { phase } from "../phase.ts";
import type { CommittedNews } from "./committed-news.ts";
import { KeyCounts } from "./key-counts.ts";
import type { KeyCount } from "./key-counts.ts";
import type { Statements } from "./statements.ts";

export interface LimitsOptions {
  readonly sql: Statements;
  readonly now: () => number;
  /** Called when a job of a tool can be claimed. */
  readonly hasTool: (tool: string) => void;
  readonly news: CommittedNews;
}

/** Lets jobs of a key in, as many at a time as its limit says. */
export class Limits {
  readonly #options: LimitsOptions;
  readonly #counts: KeyCounts;
  /** The last place that was given, and the last row; undefined: nobody has asked. */
  #last: number | undefined;

  constructor(options: LimitsOptions) {
    this.#options = options;
    this.#counts = new KeyCounts(options.sql);
  }

  /**
   * Called when rows of a key have changed: lets in the first of those that wait, as far as there is room.
   */
  letIn(key: string | null | undefined): void {
    if (typeof key !== "string") return;
    this.#counts.forget(key);
    const count = this.#counts.of(key);
    this.#fill(key, count);
    this.#counts.done(key, count);
  }

  /** Calls {@link letIn} for the keys of rows, once each. */
  letInAll(rows: readonly object[]): void {
    const keys = new Set(rows.map((row) => (row as { readonly limit_key: string | null }).limit_key));
    for (const key of keys) this.letIn(key);
  }

  /** The same as {@link letIn}, for the end of one job that ran. */
  left(key: string | null): void {
    if (key === null) return;
    const count = this.#counts.known(key);
    if (count === undefined) {
      this.letIn(key);
      return;
    }
    count.placed--;
    this.#fill(key, count);
    this.#counts.done(key, count);
  }

  /** True when a new job is let in at once. */
  hasRoom({ key, jobs }: JobLimit): boolean {
    const count = this.#counts.of(key);
    // The number may have grown since the last call.
    this.#fill(key, count, jobs);
    return count.placed < jobs && !count.waits;
  }

  /** Called when a new job was stored, with a place or to wait for one. */
  stored({ key, jobs }: JobLimit, isHeld: boolean): void {
    const count = this.#counts.known(key);
    if (count === undefined) this.#counts.forget(key);
    else if (isHeld) {
      count.waits = true;
      count.cap = jobs;
    } else count.placed++;
  }

  /** The job of a key that came first, and has not ended. */
  oldest(key: string): JobUrn | undefined {
    const rows = [phase.executing, phase.pending, phase.held].flatMap((at) => {
      return this.#options.sql.oldestOfKey.all(key, at) as { readonly seq: number; readonly id: string }[];
    });
    const [first] = rows.toSorted((one, other) => one.seq - other.seq);
    return first && `${jobUrnPrefix}${first.id}`;
  }

  /** Called with the number of each new row. */
  added(seq: number): void {
    if (this.#last !== undefined && seq > this.#last) this.#last = seq;
  }

  /** The place behind all others that are in a line. */
  place(): number {
    this.#last ??= Number(this.#options.sql.lastSeq.get()?.["seq"] ?? 0);
    return ++this.#last;
  }

  /** Called after a rollback: cached facts about the rows are invalid. */
  forget(): void {
    this.#counts.clear();
  }

  #fill(key: string, count: KeyCount, cap = count.cap): void {
    const { sql, now, hasTool, news } = this.#options;
    while (count.waits && count.placed < cap) {
      const next = sql.admit.get(now(), this.place(), key) as { readonly tool: string } | undefined;
      if (next === undefined) count.waits = false;
      else {
        count.placed++;
        hasTool(next.tool);
        news.ready(next.tool);
      }
    }
  }
}
