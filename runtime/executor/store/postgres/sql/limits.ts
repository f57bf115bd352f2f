import { clock, end, heard, now, tell } from "./fragments.ts";

/**
 * The phase in which a job comes back: one with a limit stands in the line of its key. Called with the row's name.
 */
export const inLine = (row = "j."): string => `CASE WHEN ${row}limit_key IS NULL THEN 0 ELSE -1 END`;

/** The end of all lines, for a job with a limit. */
export const lastInLine = "CASE WHEN j.limit_key IS NULL THEN j.line ELSE nextval({sequence}) END";

/** Lets jobs in, as many at a time as the limit of their key says. */
export const limitTexts = {
  /**
   * `$2`: keys. `$3` and on: jobs that their submitter runs itself, with the seconds of the lease, its token and its
   * worker. Returns those that were let in; the function looks behind the lock of the keys.
   */
  letIn: `WITH ${clock}, come AS MATERIALIZED (SELECT l.* FROM clock, {let_in}($2::text[], $3::text[], $4::float8[], $5::text[], $6::text[], clock.now) AS l),
    told AS MATERIALIZED (${tell("ready", "tool", "come WHERE phase = 0")})
    SELECT id, phase FROM come WHERE ${heard}`,
  /** Drops jobs that must not wait, unless they were let in meanwhile. */
  dropHeld: `DELETE FROM {jobs} j WHERE j.id = ANY ($1::text[]) AND j.phase = -1 RETURNING j.id`,
  /** Cancels the oldest job of each key but the new one. */
  replaceOldest: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::text[]) AS x(id, key)),
    old AS MATERIALIZED (SELECT o.seq FROM given CROSS JOIN LATERAL (SELECT j.seq FROM {jobs} j
      WHERE j.limit_key = given.key AND j.phase IN (-1, 0, 2) AND j.phase < 3 AND j.id <> given.id
      ORDER BY coalesce(j.line, j.seq) LIMIT 1) AS o),
    done AS (UPDATE {jobs} j ${end("j.ttl")}, outcome = 'cancelled', content_type = NULL, content = $4::bytea
      FROM old WHERE j.seq = old.seq AND j.phase < 3 RETURNING j.id, j.tool),
    told AS MATERIALIZED (${tell("ended", "id", "done")})
    SELECT id, tool FROM done WHERE ${heard}`,
  ahead: `SELECT j.id, (SELECT count(*) FROM {jobs} o WHERE o.limit_key = j.limit_key AND o.phase = -1
      AND coalesce(o.line, o.seq) < coalesce(j.line, j.seq))::integer AS ahead
    FROM {jobs} j WHERE j.id = ANY ($1::text[]) AND j.phase = -1`,
  heldOfTools: `WITH ${clock} SELECT tool, count(*)::float8 AS held, min(due)::float8 AS since, ${now}::float8 AS now
    FROM {jobs} WHERE phase = -1 GROUP BY tool`,
  heldOfKeys: `WITH ${clock} SELECT limit_key AS key, min(tool) AS tool, count(*)::float8 AS held, min(due)::float8 AS since,
      ${now}::float8 AS now FROM {jobs} WHERE phase = -1 GROUP BY limit_key ORDER BY count(*) DESC, limit_key LIMIT $2`,
  jobsOfKey: `SELECT j.id, j.owner FROM {jobs} j WHERE j.limit_key = $1 AND j.phase < 3
      AND j.phase BETWEEN $2::smallint AND $3::smallint AND ($4::boolean OR j.owner IS NOT DISTINCT FROM $5::text) LIMIT $6`,
  /** Keys after `$1` of which a job waits though there is room: whoever ended the last one was lost behind that. */
  stalledKeys: `WITH RECURSIVE keys AS (
      (SELECT limit_key, 1 AS n FROM {jobs} WHERE phase = -1 AND limit_key > $1 ORDER BY limit_key LIMIT 1)
      UNION ALL SELECT (SELECT j.limit_key FROM {jobs} j WHERE j.phase = -1 AND j.limit_key > keys.limit_key
        ORDER BY j.limit_key LIMIT 1), n + 1 FROM keys WHERE keys.limit_key IS NOT NULL AND n < $2)
    SELECT limit_key FROM keys WHERE limit_key IS NOT NULL`,
} as const;
