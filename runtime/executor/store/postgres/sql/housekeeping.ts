import { firstInLine, inLine, joinsAgain, lastInLine } from "./limits.ts";
import { clock, heard, isDue, keptAtEnd, now, remember, tell } from "./fragments.ts";

/** Takes jobs from lost workers, and drops what is old. */
export const housekeepingTexts = {
  extend: `WITH ${clock}, held AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 2 AND j.due < ${now} + $2::bigint FOR UPDATE SKIP LOCKED)
    UPDATE {jobs} j SET due = ${now} + $2::bigint FROM held WHERE j.seq = held.seq`,
  retry: `WITH ${clock}, lost AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 2 AND ${isDue} AND j.attempt < j.max_attempts
      ORDER BY j.due, j.seq LIMIT $2 FOR UPDATE SKIP LOCKED),
    back AS (UPDATE {jobs} j SET phase = ${inLine()}, ${firstInLine}, due = ${now}, token = NULL, started = NULL, ${remember("lost")}
      FROM lost WHERE j.seq = lost.seq RETURNING j.tool, j.phase, j.limit_key),
    told AS MATERIALIZED (${tell("ready", "tool", "back WHERE phase = 0")})
    SELECT limit_key FROM back WHERE ${heard}`,
  bury: `WITH ${clock}, lost AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 2 AND ${isDue} AND j.attempt >= j.max_attempts
      ORDER BY j.due, j.seq LIMIT $2 FOR UPDATE SKIP LOCKED),
    over AS (UPDATE {jobs} j SET phase = 4, due = ${now} + ($3::float8 * 1000)::bigint, ended = ${now},
      expires = ${now} + (j.ttl * 1000)::bigint, token = NULL, kept = ${keptAtEnd}, outcome = 'error', content = $4::bytea,
      ${remember("lost")}
      FROM lost WHERE j.seq = lost.seq RETURNING j.id, j.limit_key),
    told AS MATERIALIZED (${tell("ended", "id", "over")})
    SELECT limit_key FROM over WHERE ${heard}`,
  undelay: `WITH ${clock}, ready AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 1 AND ${isDue} ORDER BY j.due, j.seq LIMIT $2 FOR UPDATE SKIP LOCKED),
    back AS (UPDATE {jobs} j SET phase = ${inLine()}, line = ${lastInLine}, early = ${joinsAgain}
      FROM ready WHERE j.seq = ready.seq RETURNING j.tool, j.phase, j.limit_key),
    told AS MATERIALIZED (${tell("ready", "tool", "back WHERE phase = 0")})
    SELECT limit_key FROM back WHERE ${heard}`,
  dropExpired: `WITH ${clock}, old AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = $3::smallint AND ${isDue} ORDER BY j.due, j.seq LIMIT $2
      FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM {jobs} j USING old WHERE j.seq = old.seq RETURNING j.seq, j.tool),
    silent AS (DELETE FROM {events} USING gone WHERE job = gone.seq)
    SELECT tool FROM gone`,
  dropOldest: `WITH old AS MATERIALIZED (SELECT j.seq FROM {jobs} j WHERE j.phase > 0 AND j.phase = $2::smallint
      ORDER BY j.due, j.seq LIMIT $1 FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM {jobs} j USING old WHERE j.seq = old.seq RETURNING j.seq),
    silent AS (DELETE FROM {events} USING gone WHERE job = gone.seq)
    SELECT 1 FROM gone`,
  /** Drops finished jobs above a limit. Counts the rows that remain, from the newest on, without locking them. */
  dropSurplus: `WITH old AS MATERIALIZED (SELECT j.seq FROM {jobs} j WHERE j.phase > 0 AND j.phase = 3
      AND (j.tool = ANY ($1::text[])) = $2::boolean ORDER BY j.due DESC, j.seq DESC OFFSET $3 LIMIT $4),
    free AS MATERIALIZED (SELECT j.seq FROM {jobs} j JOIN old ON j.seq = old.seq FOR UPDATE OF j SKIP LOCKED),
    gone AS (DELETE FROM {jobs} j USING free WHERE j.seq = free.seq RETURNING j.seq),
    silent AS (DELETE FROM {events} USING gone WHERE job = gone.seq)
    SELECT 1 FROM gone`,
  countFinishedByTool: "SELECT tool, count(*)::float8 AS count FROM {jobs} WHERE phase > 0 AND phase = 3 GROUP BY tool",
  count: "SELECT count(*)::float8 AS count FROM {jobs} WHERE phase > 0 AND phase = $1::smallint",
} as const;
