import { claimColumns } from "../../rows.ts";
import { clock, isDue } from "./fragments.ts";

/** SQL that is false for jobs in their last attempt, if the claim excludes these. */
const isClaimable = "(NOT $5::boolean OR j.attempt = 0 OR j.attempt + 1 < j.max_attempts)";

/** The columns of a claimed job, as they were before the claim. */
const claimed = claimColumns
  .split(", ")
  .map((column) => (column === "seq" ? "j.seq::float8" : column === "attempt" ? "j.attempt - 1" : `j.${column}`))
  .join(", ");

const take =
  "SET phase = 2, waits = NULL, due = (SELECT now FROM clock) + (picked.seconds * 1000)::bigint, attempt = j.attempt + 1, " +
  "token = gen_random_uuid()::text, started = (SELECT now FROM clock), worker = picked.worker";

/** Claims: give waiting jobs to workers. */
export const claimTexts = {
  waitingTools: `WITH RECURSIVE ${clock}, tools AS (
      (SELECT tool FROM {jobs} WHERE phase = 0 ORDER BY tool LIMIT 1)
      UNION ALL SELECT (SELECT j.tool FROM {jobs} j WHERE j.phase = 0 AND j.tool > tools.tool ORDER BY j.tool LIMIT 1)
        FROM tools WHERE tools.tool IS NOT NULL)
    SELECT tool FROM tools WHERE tool IS NOT NULL
    UNION SELECT j.tool FROM {jobs} j WHERE j.phase > 0 AND j.phase = 1 AND ${isDue} AND j.limit_key IS NULL`,
  claimOldest: `WITH ${clock}, delayed AS (
      SELECT j.seq, j.seq AS place FROM {jobs} j WHERE j.phase > 0 AND j.phase = 1 AND ${isDue} AND j.tool = ANY ($2::text[])
        AND j.limit_key IS NULL AND ${isClaimable} ORDER BY j.due, j.seq LIMIT $3 FOR UPDATE SKIP LOCKED),
    waiting AS (SELECT oldest.* FROM unnest($2::text[]) AS wanted(tool) CROSS JOIN LATERAL (
      SELECT j.seq, coalesce(j.line, j.seq) AS place FROM {jobs} j WHERE j.phase = 0 AND j.tool = wanted.tool AND ${isClaimable}
      ORDER BY coalesce(j.line, j.seq) LIMIT $3 FOR UPDATE SKIP LOCKED) AS oldest),
    picked AS (SELECT seq, $4::float8 AS seconds, ($6::text[])[(row_number() OVER (ORDER BY place, seq))::integer] AS worker
      FROM (SELECT * FROM delayed UNION ALL SELECT * FROM waiting) AS either ORDER BY place, seq LIMIT $3)
    UPDATE {jobs} j ${take} FROM picked WHERE j.seq = picked.seq
    RETURNING ${claimed}, j.token, coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0)`,
  claimNamed: `WITH ${clock}, picked AS (
      SELECT * FROM unnest($2::text[], $3::float8[], $4::text[]) AS x(id, seconds, worker))
    UPDATE {jobs} j ${take} FROM picked
    WHERE j.id = picked.id AND (j.phase = 0 OR (j.phase = 1 AND ${isDue} AND j.limit_key IS NULL))
    RETURNING ${claimed}, j.token, coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0)`,
} as const;
