import { clock, end, heard, now, tell } from "./fragments.ts";

/** The phase of a job that comes back: a job with a limit queues for its key. Called with the alias of the row. */
export const inLine = (row = "j."): string => `CASE WHEN ${row}limit_key IS NULL THEN 0 ELSE -1 END`;

/** The end of its key's queue, for a job with a limit. */
export const lastInLine = "CASE WHEN j.limit_key IS NULL THEN j.line ELSE nextval({sequence}) END";

/** Admits jobs, as many at a time as the limit of their key allows. */
export const limitTexts = {
  /**
   * `$2`: keys. `$3` and on: jobs that their submitter runs itself, with the seconds of the lease, its token and its
   * worker. Returns the jobs that were admitted; the SQL function counts after it has locked the keys.
   */
  letIn: `WITH ${clock}, come AS MATERIALIZED (SELECT l.* FROM clock, {let_in}($2::text[], $3::text[], $4::float8[], $5::text[], $6::text[], clock.now) AS l),
    told AS MATERIALIZED (${tell("ready", "tool", "come WHERE phase = 0")})
    SELECT id, phase FROM come WHERE ${heard}`,
  /** Drops jobs that must not wait, unless they were admitted meanwhile. */
  dropHeld: `DELETE FROM {jobs} j WHERE j.id = ANY ($1::text[]) AND j.phase = -1 RETURNING j.id`,
  /** Cancels the oldest job of each key, except for the new job. */
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
  /**
   * Keys after `$1` that have a waiting job and room for it: the process that ended the last job was lost before it
   * admitted the next.
   */
  stalledKeys: `WITH RECURSIVE keys AS (
      (SELECT limit_key, 1 AS n FROM {jobs} WHERE phase = -1 AND limit_key > $1 ORDER BY limit_key LIMIT 1)
      UNION ALL SELECT (SELECT j.limit_key FROM {jobs} j WHERE j.phase = -1 AND j.limit_key > keys.limit_key
        ORDER BY j.limit_key LIMIT 1), n + 1 FROM keys WHERE keys.limit_key IS NOT NULL AND n < $2)
    SELECT limit_key FROM keys WHERE limit_key IS NOT NULL`,
} as const;
