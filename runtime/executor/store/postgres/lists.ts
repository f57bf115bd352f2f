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
import type { ListedJob, ListFilter, ListPage } from "../listed-jobs.ts";
import { toListedJob, toListPage, type ExaminedRow, type ListRow } from "../list-rows.ts";
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

  async list(
    before: number,
    limit: number,
    { of, id, tools, state, trace, most = limit }: ListFilter = {},
  ): Promise<ListPage> {
    const { sql } = this.#tables;
    const last = Math.min(before, Number.MAX_SAFE_INTEGER);
    const owner = [of === undefined, of?.owner ?? null] as const;
    if (id !== undefined) {
      const rows = await this.#tables.query<ListRow>(sql.listOne, keyOf(id), last, ...owner);
      return { jobs: rows.map(toListedJob) };
    }
    // PostgreSQL has no texts with NUL. No job has it in these columns.
    if ([...(tools ?? []), state, trace].some((text) => text?.includes("\0"))) return { jobs: [] };
    const wanted = [tools ?? null, state ?? null, trace ?? null] as const;
    const rows = await this.#tables.query<ExaminedRow>(sql.list, last, ...owner, ...wanted, most, limit);
    return toListPage(rows, limit, most);
  }

  async listed(id: JobUrn): Promise<ListedJob | undefined> {
    const [row] = await this.#tables.query<ListRow>(this.#tables.sql.listed, keyOf(id));
    return row === undefined ? undefined : toListedJob(row);
  }

  async input(id: JobUrn): Promise<unknown> {
    const [row] = await this.#tables.query<{ readonly input: string | null }>(this.#tables.sql.input, keyOf(id));
    return typeof row?.input === "string" ? JSON.parse(row.input) : undefined;
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
