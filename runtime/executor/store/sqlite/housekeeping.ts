import type { StatementSync } from "node:sqlite";
import type { JobUrn } from "../../../job/job.ts";
import type { DeadLetter } from "../dead-letters.ts";
import { keyOf, toColumns, toDeadLetter, type DeadLetterRow, type RecordRow } from "../rows.ts";
import { FinishedCounts } from "../finished-counts.ts";
import { phase } from "../phase.ts";
import { interruptedOutcome } from "../shared-rules.ts";
import type { Statements } from "./statements.ts";

/** Maximum number of rows that one transaction drops. */
const dropAtOnce = 500;
/** The same for jobs above the limit, of which more than a transaction ends must be dropped. */
const evictAtOnce = 5000;
const interrupted = toColumns(interruptedOutcome).content;

export interface HousekeepingOptions {
  readonly maxFinished: number;
  /** Limits of tools that have their own; all other tools share `maxFinished`. */
  readonly perTool: ReadonlyMap<string, number>;
  readonly maxDeadLetters: number;
  /** Seconds for which a dead letter is stored. */
  readonly deadLetterTtl: number;
  readonly now: () => number;
}

interface HousekeepingHooks extends HousekeepingOptions {
  /** Called with the rows of jobs that have been put back or ended. */
  readonly changed: (rows: readonly object[]) => void;
  /** Position at the end of all queues. */
  readonly place: () => number;
}

/** Ends jobs whose workers were lost, and drops expired jobs and events. */
export class Housekeeping {
  readonly #sql: Statements;
  readonly #options: HousekeepingHooks;
  /** Number of finished jobs; undefined: not counted yet. */
  #finished: number | undefined;
  /** Replaces the count of all jobs if some tools have limits of their own. */
  readonly #byTool: FinishedCounts | undefined;
  /** True if some job may have events; if false, no search for events is needed. */
  #mayHaveEvents: boolean;

  constructor(sql: Statements, options: HousekeepingHooks) {
    this.#sql = sql;
    this.#options = options;
    if (options.perTool.size > 0) this.#byTool = new FinishedCounts(options.maxFinished, options.perTool);
    this.#mayHaveEvents = typeof sql.anyEvent.get()?.["job"] === "number";
  }

  get mayHaveEvents(): boolean {
    return this.#mayHaveEvents;
  }

  /** Called when a job has an event. */
  hasEvents(): void {
    this.#mayHaveEvents = true;
  }

  /** Called when a job has finished. The function that finds its tool is called only if needed. */
  hasFinished(toolOf: () => string | undefined): void {
    if (this.#finished !== undefined) this.#finished++;
    if (this.#byTool?.isCounted === true) this.#byTool.add(toolOf(), 1);
  }

  /** Puts back or ends the jobs whose lease expired before `limit`. */
  endLeases(limit: number = this.#options.now()): void {
    const { now, deadLetterTtl } = this.#options;
    const at = now();
    const retried = this.#sql.retry.all(at, at, limit);
    const buried = this.#sql.bury.all(at + deadLetterTtl * 1000, at, at, interrupted, at, limit);
    if (retried.length > 0 || buried.length > 0) this.#options.changed([...retried, ...buried]);
    if (buried.length > 0) this.#dropSurplusDead();
  }

  /** Turns a job that has just ended into a dead letter. */
  becomesDead(id: JobUrn): void {
    const { now, deadLetterTtl } = this.#options;
    this.#sql.becomesDead.run(now() + deadLetterTtl * 1000, keyOf(id));
    this.#dropSurplusDead();
  }

  #dropSurplusDead(): void {
    const surplus = count(this.#sql.countDead) - this.#options.maxDeadLetters;
    if (surplus > 0) this.#drop("dropDead", surplus);
  }

  /** Extends all leases to at least `grace` milliseconds, and does not count their attempts. */
  spareLeases(grace: number): void {
    this.#sql.spare.run(this.#options.now() + grace);
  }

  /** Extends all leases to at least `grace` milliseconds from now. */
  extendLeases(grace: number): void {
    this.#sql.extend.run(this.#options.now() + grace);
  }

  /** Drops a batch of expired rows; true when there may be more. */
  dropExpired(): boolean {
    const now = this.#options.now();
    if (this.#mayHaveEvents) this.#sql.dropExpiredEvents.run(now, dropAtOnce);
    const ended = this.#sql.dropExpired.all(now, dropAtOnce);
    if (this.#finished !== undefined) this.#finished -= ended.length;
    for (const { tool } of ended) this.#byTool?.add(String(tool), -1);
    const dead = this.#drop("dropExpiredDead", now, dropAtOnce);
    return ended.length === dropAtOnce || dead === dropAtOnce || this.#surplus > 0;
  }

  /** Drops finished jobs above the limit. */
  evict(): void {
    if (this.#byTool !== undefined) {
      this.#evictByTool(this.#byTool);
      return;
    }
    this.#finished ??= count(this.#sql.countFinished);
    // After the limit was lowered, the surplus is dropped by many commits, since each blocks the process.
    if (this.#surplus > 0) this.#finished -= this.#drop("dropFinished", Math.min(this.#surplus, evictAtOnce));
  }

  /** Number of finished jobs above their limit. */
  get #surplus(): number {
    return (this.#finished ?? 0) - this.#options.maxFinished;
  }

  #evictByTool(counts: FinishedCounts): void {
    if (!counts.isCounted)
      counts.reset(this.#sql.countFinishedByTool.all() as unknown as readonly { tool: string; count: number }[]);
    for (const { tool, kept, count: surplus } of counts.surpluses()) {
      const tools = `\n${(tool === undefined ? counts.tools : [tool]).join("\n")}\n`;
      const most = Math.min(surplus, evictAtOnce);
      counts.add(tool, -this.#drop("dropSurplus", tools, tool === undefined ? 0 : 1, most, kept));
    }
  }

  /** Returns a row that has not expired; drops an expired one. */
  valid(row: RecordRow | undefined): RecordRow | undefined {
    if (row === undefined || !this.isExpired(row)) return row;
    this.#drop("drop", row.seq);
    if (row.phase === phase.ended && this.#finished !== undefined) this.#finished--;
    if (row.phase === phase.ended) this.#byTool?.add(row.tool, -1);
    return undefined;
  }

  isExpired(row: RecordRow): boolean {
    if (row.phase < phase.ended) return false;
    return (row.phase === phase.ended ? row.due : (row.expires ?? 0)) <= this.#options.now();
  }

  deadLetters(limit: number): readonly DeadLetter[] {
    return this.#sql.deadLetters.all(limit).map((row) => toDeadLetter(row as unknown as DeadLetterRow));
  }

  redrive(id: JobUrn): "ok" | "unknown" {
    this.#sql.dropEventsOfDead.run(keyOf(id));
    const now = this.#options.now();
    const back = this.#sql.redrive.all(this.#options.place(), now, now, keyOf(id));
    if (back.length !== 1) return "unknown";
    this.#options.changed(back);
    return "ok";
  }

  /** Called after a rollback, since values that were cached from the rows may be wrong then. */
  forget(): void {
    this.#finished = undefined;
    this.#byTool?.forget();
  }

  /** Drops jobs and their events. The events are dropped first, since they are found by their jobs. */
  #drop(
    name: "drop" | "dropFinished" | "dropSurplus" | "dropExpiredDead" | "dropDead",
    ...which: readonly (number | string)[]
  ): number {
    if (this.#mayHaveEvents) this.#sql[`${name}Events`].run(...which);
    return Number(this.#sql[name].run(...which).changes);
  }
}

function count(statement: StatementSync): number {
  return Number(statement.get()?.["count"]);
}
