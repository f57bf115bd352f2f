import { FinishedCounts } from "../finished-counts.ts";
import { phase } from "../phase.ts";
import { interruptedOutcome } from "../shared-rules.ts";
import { toColumns } from "../rows.ts";
import type { Statement } from "./connection/database.ts";
import { letInBehind, letInStalled, type LimitedRow } from "./limits.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

/** Maximum number of rows that one statement changes. */
const atOnce = 500;
/** Maximum number of statements of one kind in a call: other calls of the store wait for its end. */
const mostBatches = 10;
/** Number of finished jobs for each round of counting: a million of them are counted in one of a hundred rounds. */
const countedPerRound = 10_000;

/** JSON of the outcome of a job that lost its last worker. */
export const interrupted: Uint8Array = Buffer.from(toColumns(interruptedOutcome).content);

export interface HousekeepingOptions {
  readonly maxFinished: number;
  /** Limits of tools that have their own; all other tools share `maxFinished`. */
  readonly perTool: ReadonlyMap<string, number>;
  readonly maxDeadLetters: number;
  /** Seconds for which a dead letter is stored. */
  readonly deadLetterTtl: number;
  /** Called in every round. */
  readonly see?: (() => Promise<void>) | undefined;
}

/** Ends jobs whose workers were lost, and drops expired jobs. Every replica does so, independently of the others. */
export class Housekeeping {
  readonly #tables: Tables;
  readonly #options: HousekeepingOptions;
  /** Number of finished jobs as far as this process knows: other replicas change it. Undefined: not counted yet. */
  #finished: number | undefined;
  /** Number of rounds until finished jobs are counted again. */
  #roundsToCount = 0;
  /** Replaces the count of all jobs if some tools have limits of their own. */
  readonly #byTool: FinishedCounts | undefined;
  /** The last key of a limit that was checked. */
  #lookedUntil = "";

  constructor(tables: Tables, options: HousekeepingOptions) {
    this.#tables = tables;
    this.#options = options;
    if (options.perTool.size > 0) this.#byTool = new FinishedCounts(options.maxFinished, options.perTool);
  }

  /** True when there is more to do. */
  async reap(): Promise<boolean> {
    const { sql } = this.#tables;
    const { deadLetterTtl } = this.#options;
    const woken = await this.#repeat(() => wake(this.#tables));
    const retried = await this.#repeat(() => back(this.#tables, sql.retry, atOnce));
    const buried = await this.#repeat(() => back(this.#tables, sql.bury, atOnce, deadLetterTtl, interrupted));
    const counts = [woken, retried, buried];
    if (buried > 0) await this.buried();
    this.#lookedUntil = await letInStalled(this.#tables, this.#lookedUntil);
    for (const state of [phase.ended, phase.dead]) {
      const dropped = await this.#repeat(async () => {
        const rows = await this.#tables.timed<{ readonly tool: string }>(sql.dropExpired, atOnce, state);
        if (state === phase.ended) this.gone(rows);
        return rows;
      });
      counts.push(dropped);
    }
    if (--this.#roundsToCount <= 0) {
      this.#finished = undefined;
      this.#byTool?.forget();
    }
    await this.finished([]);
    const surplus = this.#surplus;
    if (surplus > 0) await this.finished([]);
    await this.#options.see?.();
    const isLess = this.#surplus < surplus;
    // No progress means that other replicas have locked the rows, or have dropped them: the next round counts again.
    if (surplus > 0 && !isLess) this.#roundsToCount = 0;
    return counts.includes(mostBatches * atOnce) || (this.#surplus > 0 && isLess);
  }

  /** Subtracts finished jobs that have expired. */
  gone(rows: readonly { readonly tool: string }[]): void {
    if (this.#finished !== undefined) this.#finished -= rows.length;
    for (const { tool } of rows) this.#byTool?.add(tool, -1);
  }

  /** Drops finished jobs above the limit. @param tools Names of the tools of jobs that have just finished */
  async finished(tools: readonly string[]): Promise<void> {
    if (this.#byTool !== undefined) return this.#finishedByTool(this.#byTool, tools);
    if (this.#finished === undefined) {
      this.#finished = await this.#count(phase.ended);
      this.#roundsToCount = this.#finished / countedPerRound;
    } else this.#finished += tools.length;
    const dropped = this.#surplus > 0 ? await this.#dropFinished(this.#surplus) : 0;
    // Jobs may have finished meanwhile.
    if (this.#finished !== undefined) this.#finished -= dropped;
  }

  /** Number of finished jobs above their limits. */
  get #surplus(): number {
    if (this.#byTool !== undefined) return this.#byTool.surpluses().reduce((sum, { count }) => sum + count, 0);
    return (this.#finished ?? 0) - this.#options.maxFinished;
  }

  /**
   * Drops a batch of finished jobs above the limit. A large surplus, as after the limit was lowered, is found by all
   * replicas: each drops only what is behind the newest jobs, so that they do not together drop more.
   */
  async #dropFinished(surplus: number): Promise<number> {
    if (surplus <= atOnce) return this.#dropOldest(phase.ended, surplus);
    const { sql } = this.#tables;
    return (await this.#tables.query(sql.dropSurplus, [], false, this.#options.maxFinished, atOnce)).length;
  }

  async #finishedByTool(counts: FinishedCounts, tools: readonly string[]): Promise<void> {
    const { sql } = this.#tables;
    if (counts.isCounted) for (const tool of tools) counts.add(tool, 1);
    else {
      const rows = await this.#tables.query<{ readonly tool: string; readonly count: number }>(sql.countFinishedByTool);
      counts.reset(rows);
      this.#roundsToCount = rows.reduce((sum, { count }) => sum + count, 0) / countedPerRound;
    }
    for (const { tool, kept, count } of counts.surpluses()) {
      const which = tool === undefined ? counts.tools : [tool];
      const { length } = await this.#tables.query(
        sql.dropSurplus,
        which,
        tool !== undefined,
        kept,
        Math.min(count, atOnce),
      );
      counts.add(tool, -length);
    }
  }

  /** Drops dead letters above the limit; called when dead letters were added. */
  async buried(): Promise<void> {
    let surplus = (await this.#count(phase.dead)) - this.#options.maxDeadLetters;
    while (surplus > 0) {
      const dropped = await this.#dropOldest(phase.dead, Math.min(surplus, atOnce));
      if (dropped === 0) return;
      surplus -= dropped;
    }
  }

  /** Repeats a statement a few times while it finds full batches; returns the number of its rows. */
  async #repeat(run: () => Promise<readonly unknown[]>): Promise<number> {
    let total = 0;
    for (let batch = 1; batch <= mostBatches && total === (batch - 1) * atOnce; batch++) total += (await run()).length;
    return total;
  }

  async #count(state: number): Promise<number> {
    const [row] = await this.#tables.query<{ readonly count: number }>(this.#tables.sql.count, state);
    return row?.count ?? 0;
  }

  async #dropOldest(state: number, count: number): Promise<number> {
    return (await this.#tables.query(this.#tables.sql.dropOldest, count, state)).length;
  }
}

/** Queues jobs with a limit whose delay is over, if this process knows of any. */
export async function wakeLimited(tables: Tables): Promise<void> {
  if (!tables.wakes.come()) return;
  const { length } = await wake(tables);
  if (length === atOnce) tables.wakes.add(0);
}

/** Queues jobs with a limit whose delay is over; returns the rows of some of them. */
function wake(tables: Tables): Promise<readonly LimitedRow[]> {
  return back(tables, tables.sql.undelay, atOnce);
}

/**
 * Runs a statement that ends jobs, parks them or makes them claimable again, and then admits jobs that wait for their
 * slots.
 */
async function back(
  tables: Tables,
  statement: Statement,
  ...values: readonly unknown[]
): Promise<readonly LimitedRow[]> {
  const rows = await tables.timed<LimitedRow>(statement, ...values);
  await letInBehind(tables, rows);
  return rows;
}

/**
 * Extends all leases to at least some milliseconds from now. Leases that another replica has ended meanwhile stay
 * ended; rows that another statement has locked are skipped, since that statement renews or ends their leases.
 */
export function extendVerb(tables: Tables): Verb<number, void> {
  return {
    key: "extend",
    touches: () => [],
    isOpen: () => true,
    async run(graces) {
      await tables.timed(tables.sql.extend, Math.max(...graces));
      return graces.map(() => undefined);
    },
  };
}

/** Does the housekeeping once for all calls in one turn of the event loop. */
export function reapVerb(housekeeping: Housekeeping): Verb<undefined, boolean> {
  return {
    key: "reap",
    touches: () => [],
    isOpen: () => true,
    async run(calls) {
      const isMore = await housekeeping.reap();
      return calls.map(() => isMore);
    },
  };
}
