import type { JobUrn } from "../../../job/job.ts";
import { toAttempts, type AttemptsRow, type JobAttempt } from "../attempts.ts";
import { toCounts, type CountRow } from "../count-rows.ts";
import type { DeadLetter } from "../dead-letters.ts";
import {
  phasesOf,
  toHeld,
  toJobOfKey,
  type HeldOfKey,
  type HeldOfTool,
  type JobOfKey,
  type KeyQuery,
} from "../held-jobs.ts";
import type { ToolCounts } from "../job-counts.ts";
import type { ListedJob, OwnedBy } from "../listed-jobs.ts";
import { toListedJob, type ListRow } from "../list-rows.ts";
import { keyOf, toDeadLetter, type DeadLetterRow } from "../rows.ts";
import type { Tables } from "./tables.ts";

/** Queries over many jobs, for operators and autoscalers. */
export class Lists {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async deadLetters(limit = 100): Promise<readonly DeadLetter[]> {
    const rows = await this.#tables.query<DeadLetterRow>(this.#tables.sql.deadLetters, limit);
    return rows.map(toDeadLetter);
  }

  async list(before: number, limit: number, of: OwnedBy | undefined): Promise<readonly ListedJob[]> {
    const { sql } = this.#tables;
    const last = Math.min(before, Number.MAX_SAFE_INTEGER);
    const rows =
      of === undefined
        ? await this.#tables.query<ListRow>(sql.list, last, limit)
        : await this.#tables.query<ListRow>(sql.listOwn, last, of.owner ?? null, limit);
    return rows.map(toListedJob);
  }

  async listed(id: JobUrn): Promise<ListedJob | undefined> {
    const [row] = await this.#tables.query<ListRow>(this.#tables.sql.listed, keyOf(id));
    return row === undefined ? undefined : toListedJob(row);
  }

  async attempts(id: JobUrn): Promise<readonly JobAttempt[]> {
    const [row] = await this.#tables.query<AttemptsRow>(this.#tables.sql.attempts, keyOf(id));
    return row === undefined ? [] : toAttempts(row);
  }

  async counts(): Promise<readonly ToolCounts[]> {
    const rows = await this.#tables.timed<CountRow & { readonly now: number }>(this.#tables.sql.counts);
    return toCounts(rows, rows[0]?.now ?? 0);
  }

  async heldJobs(
    keys: number,
  ): Promise<{ readonly tools: readonly HeldOfTool[]; readonly keys: readonly HeldOfKey[] }> {
    type Row = { readonly tool: string; readonly key: string; readonly held: number; readonly since: number };
    const { sql } = this.#tables;
    const [tools, lines] = await Promise.all([
      this.#tables.timed<Row & { readonly now: number }>(sql.heldOfTools),
      this.#tables.timed<Row & { readonly now: number }>(sql.heldOfKeys, keys),
    ]);
    return {
      tools: tools.map(({ now, ...row }) => toHeld(row, now)),
      keys: lines.map(({ now, ...row }) => toHeld(row, now)),
    };
  }

  async jobsOfKey({ key, which, most, of }: KeyQuery): Promise<readonly JobOfKey[]> {
    const values = [key, ...phasesOf(which), of === undefined, of?.owner ?? null, most];
    const rows = await this.#tables.query<Parameters<typeof toJobOfKey>[0]>(this.#tables.sql.jobsOfKey, ...values);
    return rows.map(toJobOfKey);
  }
}
