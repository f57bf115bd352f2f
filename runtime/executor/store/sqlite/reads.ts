import type { JobUrn } from "../../../job/job.ts";
import type { JobRecord } from "../job-store.ts";
import { keyOf, toRecord } from "../rows.ts";
import type { EventRow, RecordRow } from "../rows.ts";
import type { Statements } from "./statements.ts";

/** The row of a job, which may have expired. */
export function rowOf(sql: Statements, id: JobUrn): RecordRow | undefined {
  return sql.findId.get(keyOf(id)) as unknown as RecordRow | undefined;
}

/** The record of a row, with the job's events. */
export function recordOf(sql: Statements, row: RecordRow): JobRecord {
  return toRecord(row, sql.events.all(row.seq) as unknown as EventRow[]);
}
