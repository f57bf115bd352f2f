import { clock, isExpired, now, record } from "./fragments.ts";

const listed =
  "j.seq::float8, j.id, j.phase, j.attempt, j.tool, j.traceparent, j.started::float8, j.ended::float8, j.outcome";

/** Reads jobs and lists of them; sends notes. */
export const readTexts = {
  get: `WITH ${clock} SELECT ${record} FROM {jobs} j WHERE j.id = ANY ($2::text[]) AND NOT ${isExpired}`,
  /** `at` is when the one became claimable that waits longest, among the first of each tool: jobs that came back are older. */
  counts: `WITH ${clock}, counted AS (
      SELECT j.tool, count(*) AS waiting, 0 AS running, 0 AS dead, (SELECT min(due) FROM (SELECT f.due
        FROM {jobs} f WHERE f.phase = 0 AND f.tool = j.tool ORDER BY f.seq LIMIT 100) AS first) AS at FROM {jobs} j WHERE j.phase = 0 GROUP BY j.tool
      UNION ALL SELECT j.tool, count(*) FILTER (WHERE j.phase = 1), count(*) FILTER (WHERE j.phase = 2),
        count(*) FILTER (WHERE j.phase = 4), min(j.due) FILTER (WHERE j.phase = 1) FROM {jobs} j
        WHERE j.phase > 0 AND (j.phase IN (2, 4) OR (j.phase = 1 AND j.due <= ${now})) GROUP BY j.tool)
    SELECT tool, waiting::float8, running::float8, dead::float8, at::float8, ${now}::float8 AS now FROM counted`,
  list: `SELECT ${listed} FROM {jobs} j WHERE j.seq < $1 ORDER BY j.seq DESC LIMIT $2`,
  listOwn: `SELECT ${listed} FROM {jobs} j WHERE j.seq < $1 AND j.owner IS NOT DISTINCT FROM $2 ORDER BY j.seq DESC LIMIT $3`,
  listed: `SELECT ${listed} FROM {jobs} j WHERE j.id = $1`,
  attempts: `SELECT j.phase, j.attempt, j.started::float8, j.ended::float8, j.outcome, j.worker, j.history::text AS history
    FROM {jobs} j WHERE j.id = $1`,
  deadLetters: `SELECT j.id, j.tool, j.owner, j.attempt, j.ended::float8, j.detail, j.content FROM {jobs} j
    WHERE j.phase > 0 AND j.phase = 4 ORDER BY j.due DESC, j.seq DESC LIMIT $1`,
  send: "SELECT pg_notify($1, $2)",
} as const;
