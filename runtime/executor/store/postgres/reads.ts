import { toRecord, type RecordRow } from "../rows.ts";
import type { JobRecord } from "../job-store.ts";
import { startOfTurn, type TurnRow } from "./limits.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

/** A row with its events, and whether it has expired by the database's clock. */
export interface FullRow extends Omit<RecordRow, "ahead">, TurnRow {
  readonly is_expired: boolean;
  readonly sequences: readonly number[];
  readonly bodies: readonly string[];
}

export function recordOf(row: FullRow): JobRecord {
  return toRecord(
    { ...row, start: startOfTurn(row) ?? null },
    row.sequences.map((sequence, index) => ({ sequence, body: row.bodies[index] ?? "null" })),
  );
}

/** Reads records by their stored ids. */
export function getVerb(tables: Tables): Verb<string, JobRecord | undefined> {
  return {
    key: "get",
    touches: () => [],
    async run(ids) {
      const rows = await tables.timed<FullRow>(tables.sql.get, ids);
      const known = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => {
        const row = known.get(id);
        // Each call gets its own record, since callers must not share one.
        return row === undefined ? undefined : recordOf(row);
      });
    },
  };
}
