import { claimColumns } from "../../rows.ts";
import { clock, isDue } from "./fragments.ts";

/** SQL that is false for jobs in their last attempt, if the claim excludes these. */
const isClaimable = "(NOT $5::boolean OR j.attempt = 0 OR j.attempt + 1 < j.max_attempts)";

/** The columns of a claimed job, as they were before the claim. */
const claimed = claimColumns
  .split(", ")
  .map((column) => (column === "seq" ? "j.seq::float8" : column === "attempt" ? "j.attempt - 1" : `j.${column}`))
  .join(", ");

/** Jobs whose delay has ended, though no round has put them back into their queue yet. */
const delayed = `delayed AS (
      SELECT j.seq, j.seq AS place FROM {jobs} j WHERE j.phase > 0 AND j.phase = 1 AND ${isDue} AND j.tool = ANY ($2::text[])
        AND j.limit_key IS NULL AND ${isClaimable} ORDER BY j.due, j.seq LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** The first waiting jobs of each tool in a list. */
const waitingOf = (
  tools: string,
): string => `waiting AS (SELECT oldest.* FROM unnest(${tools}) AS wanted(tool) CROSS JOIN LATERAL (
      SELECT j.seq, coalesce(j.line, j.seq) AS place FROM {jobs} j WHERE j.phase = 0 AND j.tool = wanted.tool AND ${isClaimable}
      ORDER BY coalesce(j.line, j.seq) LIMIT $3 FOR UPDATE SKIP LOCKED) AS oldest)`;

const pickedOf = (
  sources: string,
): string => `picked AS (SELECT seq, $4::float8 AS seconds, ($6::text[])[(row_number() OVER (ORDER BY place, seq))::integer] AS worker
      FROM (${sources}) AS either ORDER BY place, seq LIMIT $3)`;

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
  claimOldest: `WITH ${clock}, ${delayed}, ${waitingOf("$2::text[]")},
    ${pickedOf("SELECT * FROM delayed UNION ALL SELECT * FROM waiting")}
    UPDATE {jobs} j ${take} FROM picked WHERE j.seq = picked.seq
    RETURNING ${claimed}, j.token, coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0)`,
  /**
   * Claims jobs when some of the tools, `$7`, may have jobs with head starts. Each tool keeps the position of its
   * oldest job among the others; in it, the jobs whose turn is next are taken. Jobs that an earlier version stores are
   * looked at only if one of them is the oldest, since the rows that are looked at are locked for other replicas.
   */
  claimEarliest: `WITH ${clock}, ${delayed},
    ${waitingOf("ARRAY(SELECT unnest($2::text[]) EXCEPT SELECT unnest($7::text[]))")},
    heads AS MATERIALIZED (SELECT first.* FROM unnest($7::text[]) AS wanted(tool) CROSS JOIN LATERAL (
      SELECT j.tool, coalesce(j.line, j.seq) AS place, j.early IS NULL AS is_plain FROM {jobs} j
      WHERE j.phase = 0 AND j.tool = wanted.tool ORDER BY coalesce(j.line, j.seq) LIMIT 1) AS first),
    plain AS (SELECT heads.tool, heads.place, n.seq, n.turn FROM heads CROSS JOIN LATERAL (
      SELECT j.seq, coalesce(j.early, j.due) AS turn FROM {jobs} j WHERE j.phase = 0 AND j.tool = heads.tool AND ${isClaimable}
      ORDER BY coalesce(j.line, j.seq) LIMIT $3 FOR UPDATE SKIP LOCKED) AS n WHERE heads.is_plain),
    early AS (SELECT heads.tool, heads.place, n.seq, n.turn FROM heads CROSS JOIN LATERAL (
      SELECT j.seq, j.early AS turn FROM {jobs} j WHERE j.phase = 0 AND j.early IS NOT NULL AND j.tool = heads.tool AND ${isClaimable}
      ORDER BY j.early, j.seq LIMIT $3 FOR UPDATE SKIP LOCKED) AS n),
    ranked AS (SELECT seq, place + row_number() OVER (PARTITION BY tool ORDER BY turn, seq) - 1 AS place
      FROM (SELECT * FROM plain UNION SELECT * FROM early) AS x),
    ${pickedOf("SELECT * FROM delayed UNION ALL SELECT * FROM waiting UNION ALL SELECT * FROM ranked")}
    UPDATE {jobs} j ${take} FROM picked WHERE j.seq = picked.seq
    RETURNING ${claimed}, j.token, coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0)`,
  claimNamed: `WITH ${clock}, picked AS (
      SELECT * FROM unnest($2::text[], $3::float8[], $4::text[]) AS x(id, seconds, worker))
    UPDATE {jobs} j ${take} FROM picked
    WHERE j.id = picked.id AND (j.phase = 0 OR (j.phase = 1 AND ${isDue} AND j.limit_key IS NULL))
    RETURNING ${claimed}, j.token, coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0)`,
} as const;
