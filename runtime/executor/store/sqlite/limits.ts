import type { JobUrn } from "../../../job/job.ts";
import { jobUrnPrefix } from "../../../job/job-id.ts";
import type { JobLimit } from "../../../job/limits/job-limit.ts";
import { phase } from "../phase.ts";
import type { CommittedNews } from "./committed-news.ts";
import type { Statements } from "./statements.ts";

export interface LimitsOptions {
  readonly sql: Statements;
  readonly now: () => number;
  /** Called when a job of a tool can be claimed. */
  readonly hasTool: (tool: string) => void;
  readonly news: CommittedNews;
}

interface HeldRow {
  readonly seq: number;
  readonly tool: string;
}

/** Admits the jobs of a key, as many at a time as its limit allows. */
export class Limits {
  readonly #options: LimitsOptions;
  /** The last position that was assigned here. */
  #last = 0;

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /**
   * Called when a job of a key has ended, has left, or waits for its turn: admits the first waiting jobs, as far as
   * there is room.
   * @param cap Default: the limit of the last job in the queue
   */
  letIn(key: string | null | undefined, cap?: number): void {
    if (typeof key !== "string") return;
    const { sql, now, hasTool, news } = this.#options;
    const most = cap ?? sql.capOf.get(key)?.["cap"];
    // No job waits.
    if (typeof most !== "number") return;
    for (let free = most - this.#placed(key); free > 0; free--) {
      const next = sql.nextHeld.get(key) as unknown as HeldRow | undefined;
      if (next === undefined) return;
      sql.admit.run(now(), this.place(), next.seq);
      hasTool(next.tool);
      news.ready(next.tool);
    }
  }

  /** Calls {@link letIn} for the keys of rows, once each. */
  letInAll(rows: readonly object[]): void {
    const keys = new Set(rows.map((row) => (row as { readonly limit_key: string | null }).limit_key));
    for (const key of keys) this.letIn(key);
  }

  /** True when a new job would be admitted at once. */
  hasRoom({ key, jobs }: JobLimit): boolean {
    // Admits waiting jobs first, since the limit may have grown since the last call.
    this.letIn(key, jobs);
    return this.#placed(key) < jobs && this.#options.sql.nextHeld.get(key) === undefined;
  }

  /** The oldest job of a key that has not ended. */
  oldest(key: string): JobUrn | undefined {
    const rows = [phase.executing, phase.pending, phase.held].flatMap((at) => {
      return this.#options.sql.oldestOfKey.all(key, at) as { readonly seq: number; readonly id: string }[];
    });
    const [first] = rows.toSorted((one, other) => one.seq - other.seq);
    return first && `${jobUrnPrefix}${first.id}`;
  }

  /** A position behind all others in any queue. */
  place(): number {
    return (this.#last = Math.max(this.#last, Number(this.#options.sql.lastSeq.get()?.["seq"] ?? 0)) + 1);
  }

  #placed(key: string): number {
    return Number(this.#options.sql.placed.get(key)?.["count"]);
  }
}
