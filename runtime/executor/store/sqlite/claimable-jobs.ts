import type { JobUrn } from "../../../job/job.ts";
import type { ClaimOptions } from "../job-store.ts";
import { keyOf } from "../rows.ts";
import type { ClaimRow } from "../rows.ts";
import type { Limits } from "./limits.ts";
import type { Statements } from "./statements.ts";

/** Finds the next job that a worker may claim. */
export class ClaimableJobs {
  readonly #sql: Statements;
  /** All tools that may have jobs in the table. They are needed because the index of claimable jobs is by tool. */
  readonly #tools: Set<string>;
  /** Time at which the next delayed job may be claimed. The value may be too early, but never too late. */
  #nextDelayed = 0;

  readonly #limits: () => Pick<Limits, "letInAll" | "place" | "wake">;

  constructor(sql: Statements, limits: () => Pick<Limits, "letInAll" | "place" | "wake">) {
    this.#sql = sql;
    this.#limits = limits;
    this.#tools = new Set(Array.from(sql.tools.iterate(), (row) => String(row["tool"])));
  }

  /** Called when a job of the tool is stored. */
  hasTool(tool: string): void {
    this.#tools.add(tool);
  }

  /** Called when a job is delayed until `due`. */
  isDelayed(due: number): void {
    this.#nextDelayed = Math.min(this.#nextDelayed, due);
  }

  /** The job with the given id, if it may be claimed. */
  named(id: JobUrn, now: number): ClaimRow | undefined {
    return this.#sql.claimable.get(keyOf(id), now) as unknown as ClaimRow | undefined;
  }

  /** The oldest claimable job of given tools, or of all. */
  oldest(now: number, { tools, withoutSuspects }: ClaimOptions): ClaimRow | undefined {
    this.#undelay(now);
    const statement = withoutSuspects === true ? this.#sql.oldestUnsuspected : this.#sql.oldest;
    let oldest: ClaimRow | undefined;
    for (const tool of tools ?? this.#tools) {
      const row = statement.get(tool) as unknown as ClaimRow | undefined;
      if (row !== undefined && (oldest === undefined || placeOf(row) < placeOf(oldest))) oldest = row;
    }
    return oldest;
  }

  /** Called after a rollback, since cached facts about the rows are then invalid. */
  forget(): void {
    this.#nextDelayed = 0;
  }

  #undelay(now: number): void {
    this.#limits().wake(now);
    if (now < this.#nextDelayed) return;
    const back = this.#sql.undelay.all(this.#limits().place(), now);
    this.#limits().letInAll(back);
    this.#nextDelayed = Number(this.#sql.nextDelayed.get()?.["due"] ?? Infinity);
  }
}

/** Returns the position of a row in the queue, which is in a column after those of the claim. */
function placeOf(row: ClaimRow): number {
  return Number((row as readonly unknown[]).at(-1));
}
