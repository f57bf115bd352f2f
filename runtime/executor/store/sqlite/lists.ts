import type { JobUrn } from "../../../job/job.ts";
import { toAttempts, type AttemptsRow, type JobAttempt } from "../attempts.ts";
import { toCounts, type CountRow } from "../count-rows.ts";
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
import { keyOf } from "../rows.ts";
import { spared } from "./spared.ts";
import type { Statements } from "./statements.ts";

/** Queries over many jobs, for operators and autoscalers. */
export class Lists {
  readonly #sql: Statements;
  readonly #now: () => number;

  constructor(sql: Statements, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  list(before: number, limit: number, { of, id, tools, state, trace, most = limit }: ListFilter = {}): ListPage {
    const owner = [of === undefined ? 1 : 0, of?.owner ?? null] as const;
    if (id !== undefined) {
      const rows = this.#sql.listOne.all(keyOf(id), before, ...owner) as unknown as ListRow[];
      return { jobs: rows.map(toListedJob) };
    }
    const names = tools === undefined ? null : `\n${tools.join("\n")}\n`;
    const rows = this.#sql.list.all(before, ...owner, names, state ?? null, trace ?? null, most, limit);
    return toListPage(rows as unknown as ExaminedRow[], limit, most);
  }

  listed(id: JobUrn): ListedJob | undefined {
    const row = this.#sql.listed.get(keyOf(id)) as unknown as ListRow | undefined;
    return row === undefined ? undefined : toListedJob(row);
  }

  input(id: JobUrn): unknown {
    const text = this.#sql.input.get(keyOf(id))?.["input"];
    return typeof text === "string" ? JSON.parse(text) : undefined;
  }

  attempts(id: JobUrn): readonly JobAttempt[] {
    const row = this.#sql.attempts.get(keyOf(id)) as unknown as AttemptsRow | undefined;
    return row === undefined ? [] : toAttempts(row);
  }

  counts(): readonly ToolCounts[] {
    const now = this.#now();
    return toCounts(this.#sql.counts.all(now) as unknown as CountRow[], now);
  }

  /** Reads a row for each job that waits for its turn. */
  readonly heldJobs = spared((keys: number): { tools: readonly HeldOfTool[]; keys: readonly HeldOfKey[] } => {
    const now = this.#now();
    type Row = { readonly tool: string; readonly key: string; readonly held: number; readonly since: number };
    const tools = (this.#sql.heldOfTools.all() as unknown as Row[]).map((row) => toHeld(row, now));
    let longest: readonly Row[] = [];
    // Rows are iterated instead of being read at once, since there may be a million keys.
    for (const row of keys === 0 ? [] : (this.#sql.heldOfKeys.iterate() as Iterable<unknown> as Iterable<Row>)) {
      const [least] = longest.slice(-1);
      if (longest.length < keys || (least?.held ?? 0) < row.held)
        longest = [...longest, row].toSorted((one, other) => other.held - one.held).slice(0, keys);
    }
    return { tools, keys: longest.map((row) => toHeld(row, now)) };
  });

  jobsOfKey({ key, which, most, of }: KeyQuery): readonly JobOfKey[] {
    const isOfAll = of === undefined ? 1 : 0;
    const rows = this.#sql.jobsOfKey.all(key, ...phasesOf(which), isOfAll, of?.owner ?? null, most);
    return (rows as unknown as Parameters<typeof toJobOfKey>[0][]).map(toJobOfKey);
  }
}
