import type { JobUrn } from "../../../job/job.ts";
import type { JobRecord } from "../job-store.ts";
import { phase } from "../phase.ts";
import { keyOf, toRecord } from "../rows.ts";
import type { EventRow, RecordRow } from "../rows.ts";
import type { Statements } from "./statements.ts";

/** The row of a job, which may have expired. */
export function rowOf(sql: Statements, id: JobUrn): RecordRow | undefined {
  return sql.findId.get(keyOf(id)) as unknown as RecordRow | undefined;
}

/** The record of a row, with the job's events. */
export function recordOf(sql: Statements, row: RecordRow): JobRecord {
  const ahead = row.phase === phase.held ? aheadOf(sql, row) : null;
  return toRecord({ ...row, ahead }, sql.events.all(row.seq) as unknown as EventRow[]);
}

/** Number of jobs of the same key before a held job. */
export function aheadOf(
  sql: Statements,
  row: Pick<RecordRow, "seq" | "limit_key"> & { readonly line?: number | null },
): number {
  return Number(sql.ahead.get(row.limit_key, row.line ?? row.seq)?.["count"]);
}
