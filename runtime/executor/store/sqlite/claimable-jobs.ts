import type { JobUrn } from "../../../job/job.ts";
import type { ClaimOptions } from "../job-store.ts";
import { keyOf, type ClaimRow } from "../rows.ts";
import type { Limits } from "./limits.ts";
import type { Statements } from "./statements.ts";
import { isBefore, type TurnRow } from "./turns.ts";

/** Finds the next job that a worker may claim. */
export class ClaimableJobs {
  readonly #sql: Statements;
  /** All tools that may have jobs in the table. They are needed because the index of claimable jobs is by tool. */
  readonly #tools: Set<string>;
  /** Tools that may have jobs with head starts. */
  readonly #early: Set<string>;
  /** Time at which the next delayed job may be claimed. The value may be too early, but never too late. */
  #nextDelayed = 0;

  readonly #limits: () => Pick<Limits, "letInAll" | "place" | "wake">;

  constructor(sql: Statements, limits: () => Pick<Limits, "letInAll" | "place" | "wake">) {
    this.#sql = sql;
    this.#limits = limits;
    this.#tools = new Set(Array.from(sql.tools.iterate(), (row) => String(row["tool"])));
    this.#early = new Set(Array.from(sql.toolsWithHeadStarts.iterate(), (row) => String(row["tool"])));
  }

  /** Called when a job of the tool is stored. */
  hasTool(tool: string, hasHeadStart = false): void {
    this.#tools.add(tool);
    if (hasHeadStart) this.#early.add(tool);
  }

  /** Called when a job is delayed until `due`. */
  isDelayed(due: number): void {
    this.#nextDelayed = Math.min(this.#nextDelayed, due);
  }

  /** The job with the given id, if it may be claimed. */
  named(id: JobUrn, now: number): ClaimRow | undefined {
    return this.#sql.claimable.get(keyOf(id), now) as unknown as ClaimRow | undefined;
  }

  /**
   * The claimable job of given tools, or of all, whose turn is next: that of the tool with the oldest job. The jobs of
   * a tool are in the order of their arrival, less their head starts.
   */
  oldest(now: number, { tools, withoutSuspects }: ClaimOptions): ClaimRow | undefined {
    this.#undelay(now);
    const statement = withoutSuspects === true ? this.#sql.oldestUnsuspected : this.#sql.oldest;
    let oldest: ClaimRow | undefined;
    for (const tool of tools ?? this.#tools) {
      const row = statement.get(tool) as unknown as ClaimRow | undefined;
      if (row !== undefined && (oldest === undefined || placeOf(row) < placeOf(oldest))) oldest = row;
    }
    return oldest && this.#early.has(oldest[3]) ? this.#earliest(oldest, withoutSuspects) : oldest;
  }

  /** Returns the job whose turn is next, by the oldest job of its tool; see {@link isBefore}. */
  #earliest(oldest: ClaimRow, withoutSuspects = false): ClaimRow {
    const { earliest, earliestUnsuspected, turnOf } = this.#sql;
    const row = (withoutSuspects ? earliestUnsuspected : earliest).get(oldest[3]) as unknown as ClaimRow | undefined;
    const turn = turnOf.get(oldest[0]) as unknown as TurnRow;
    return row === undefined || isBefore(turn, placeOf(row)) ? oldest : row;
  }

  /** Called after a rollback, since values that were cached from the rows may be wrong then. */
  forget(): void {
    this.#nextDelayed = 0;
  }

  #undelay(now: number): void {
    this.#limits().wake(now);
    if (now < this.#nextDelayed) return;
    const back = this.#sql.undelay.all(this.#limits().place(), now, now);
    this.#limits().letInAll(back);
    this.#nextDelayed = Number(this.#sql.nextDelayed.get()?.["due"] ?? Infinity);
  }
}

/** Returns the position of a row in the queue, which is in a column after those of the claim. */
function placeOf(row: ClaimRow): number {
  return Number((row as readonly unknown[]).at(-1));
}
