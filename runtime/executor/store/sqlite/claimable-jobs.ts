import type { JobUrn } from "../../../job/job.ts";
import { keyOf } from "./rows.ts";
import type { ClaimRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Which job is the next that a worker may have. */
export class ClaimableJobs {
  readonly #sql: Statements;
  /** Every tool that the table may have; the index of what can be claimed is by tool. */
  readonly #tools: Set<string>;
  /** When the next delayed job may be claimed; too early is harmless, too late is not. */
  #nextDelayed = 0;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.#tools = new Set(Array.from(sql.tools.iterate(), (row) => String(row["tool"])));
  }

  /** A job of the tool is taken in. */
  hasTool(tool: string): void {
    this.#tools.add(tool);
  }

  /** A job waits until `due`. */
  isDelayed(due: number): void {
    this.#nextDelayed = Math.min(this.#nextDelayed, due);
  }

  /** The job, if it may be claimed. */
  named(id: JobUrn, now: number): ClaimRow | undefined {
    return this.#sql.claimable.get(keyOf(id), now) as unknown as ClaimRow | undefined;
  }

  /** The oldest of some tools, or of all. */
  oldest(now: number, tools: Iterable<string> = this.#tools): ClaimRow | undefined {
    this.#undelay(now);
    let oldest: ClaimRow | undefined;
    for (const tool of tools) {
      const row = this.#sql.oldest.get(tool) as unknown as ClaimRow | undefined;
      if (row !== undefined && (oldest === undefined || row[0] < oldest[0])) oldest = row;
    }
    return oldest;
  }

  /** The transaction was undone: nothing that was remembered about the rows holds. */
  forget(): void {
    this.#nextDelayed = 0;
  }

  #undelay(now: number): void {
    if (now < this.#nextDelayed) return;
    this.#sql.undelay.run(now);
    this.#nextDelayed = Number(this.#sql.nextDelayed.get()?.["due"] ?? Infinity);
  }
}
