import type { JobUrn } from "../../../job/job.ts";
import type { JobRecord } from "../job-store.ts";
import { phase } from "../phase.ts";
import { startOf } from "../rate.ts";
import { maxEvents } from "../shared-rules.ts";
import { keyOf, toRecord, type EventRow, type RecordRow } from "../rows.ts";
import type { Statements } from "./statements.ts";

/** The columns of a row that only this file reads. */
interface HeldColumns extends RecordRow {
  readonly line: number | null;
  readonly pace: number | null;
  readonly burst: number | null;
  readonly wakes: number | null;
  readonly early: number | null;
}

/** The row of a job, which may have expired. */
export function rowOf(sql: Statements, id: JobUrn): RecordRow | undefined {
  return sql.findId.get(keyOf(id)) as unknown as RecordRow | undefined;
}

/** The record of a row, with the job's events. */
export function recordOf(sql: Statements, row: RecordRow): JobRecord {
  const turn = row.phase === phase.held ? turnOf(sql, row) : undefined;
  // Old events are dropped in portions, so there may be some more.
  const events = (sql.events.all(row.seq) as unknown as EventRow[]).slice(-maxEvents);
  return toRecord({ ...row, ...turn }, events);
}

/** Returns the number of jobs of the same key before a held job, and the time at which a rate lets it start. */
export function turnOf(sql: Statements, row: RecordRow): { readonly ahead: number; readonly start?: number } {
  const { limit_key: key, line, pace, burst, wakes, early } = row as HeldColumns;
  const before = early === null ? sql.ahead.get(key, line ?? row.seq) : sql.aheadOfEarly.get(key, row.seq);
  const ahead = Number(before?.["count"]);
  const free = pace === null || burst === null ? undefined : sql.keyOf.get(key)?.["free_at"];
  const opens =
    typeof free === "number" && pace !== null && burst !== null ? startOf({ pace, burst }, free, ahead) : undefined;
  if (opens === undefined && wakes === null) return { ahead };
  return { ahead, start: Math.max(opens ?? 0, wakes ?? 0) };
}
