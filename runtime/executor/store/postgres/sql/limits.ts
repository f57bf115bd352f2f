import { ahead, cancel, clock, heard, now, opens, tell } from "./fragments.ts";

/**
 * SQL of the phase of a job that becomes claimable again: a job with a limit first waits in the queue of its key.
 * `row`: alias of the job's row, with a dot.
 */
export const inLine = (row = "j."): string => `CASE WHEN ${row}limit_key IS NULL THEN 0 ELSE -1 END`;

/** SQL of the position at the end of its key's queue, for a job with a limit. */
export const lastInLine = "CASE WHEN j.limit_key IS NULL THEN j.line ELSE nextval({sequence}) END";

/** SQL that puts a job with a limit before all others of its key: its worker was lost. */
export const firstInLine =
  "line = CASE WHEN j.limit_key IS NULL THEN j.line END, early = CASE WHEN j.limit_key IS NULL OR j.early IS NULL THEN j.early ELSE 0 END";

/**
 * SQL that finds held jobs by their ids. With `phase = -1` the planner may take the index of held jobs, and compare all
 * of them with the ids.
 */
const heldById = (ids: string): string => `j.id = ANY (${ids}::text[]) AND j.phase < 0`;

/** SQL of `early` for a job with a limit that joins the queue of its key again. */
export const joinsAgain = `CASE WHEN j.limit_key IS NULL THEN j.early ELSE ${now} - j.head_start END`;

/** SQL that checks up to `$2` keys that are due. If no job waits, the row of a key stays until its bucket is full. */
const rested = `due AS MATERIALIZED (SELECT k.limit_key, k.free_at,
      EXISTS (SELECT 1 FROM {jobs} j WHERE j.limit_key = k.limit_key AND j.phase = -1) AS is_held
      FROM {limit_keys} k WHERE k.due <= ${now} ORDER BY k.due LIMIT $2 FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM {limit_keys} k USING due
      WHERE k.limit_key = due.limit_key AND NOT due.is_held AND coalesce(due.free_at, 0) <= ${now}),
    later AS (UPDATE {limit_keys} k SET due = ceil(due.free_at) FROM due
      WHERE k.limit_key = due.limit_key AND NOT due.is_held AND due.free_at > ${now})`;

/** Admits waiting jobs, at most as many at a time as the limit of their key allows. */
export const limitTexts = {
  /**
   * Admits jobs. `$2`: keys. `$3` and on: jobs that their submitters run themselves, with the seconds of the lease, its
   * token and its worker. Returns the admitted jobs; for keys whose next job has to wait for a time, the milliseconds
   * until then. The function counts jobs after it has locked the keys.
   */
  letIn: `WITH ${clock}, come AS MATERIALIZED (SELECT l.* FROM clock, {let_in}($2::text[], $3::text[], $4::float8[], $5::text[], $6::text[], clock.now) AS l),
    told AS MATERIALIZED (${tell("ready", "tool", "come WHERE phase = 0")})
    SELECT id, phase, wait FROM come WHERE ${heard}`,
  /**
   * Drops jobs that must not wait, unless they were admitted meanwhile. `wait` is the time until a rate allows a start.
   */
  dropHeld: `WITH ${clock} DELETE FROM {jobs} j WHERE ${heldById("$2")}
    RETURNING j.id, (${opens} - ${now})::float8 AS wait`,
  /**
   * Cancels the oldest jobs of each key, all but the newest `cap - 1`, so that the new job, `id`, is admitted. Jobs of
   * its own batch, `$6`, are in the order of their arrival, although one of them may have been admitted. Rows have one
   * order of locks, since other replicas may cancel the same jobs.
   */
  replaceOldest: `WITH ${clock}, given AS (SELECT x.*, n.seq AS place FROM unnest($2::text[], $3::text[], $4::integer[]) AS x(id, key, cap)
      JOIN {jobs} n ON n.id = x.id AND n.phase = -1),
    old AS MATERIALIZED (SELECT o.seq FROM given CROSS JOIN LATERAL (SELECT j.seq,
        CASE WHEN j.id = ANY ($6::text[]) THEN j.seq ELSE coalesce(j.line, j.seq) END AS place FROM {jobs} j
      WHERE j.limit_key = given.key AND j.phase IN (-1, 0, 2) AND j.phase < 3 AND j.id <> given.id
        AND (j.phase >= 0 OR coalesce(j.line, j.seq) < given.place)
      ORDER BY place DESC OFFSET given.cap - 1) AS o),
    locked AS MATERIALIZED (SELECT j.seq FROM {jobs} j JOIN old ON old.seq = j.seq ORDER BY j.seq FOR UPDATE OF j),
    done AS (UPDATE {jobs} j ${cancel}, content = $5::bytea
      FROM locked WHERE j.seq = locked.seq AND j.phase < 3 RETURNING j.id, j.tool),
    told AS MATERIALIZED (${tell("ended", "id", "done")})
    SELECT id, tool FROM done WHERE ${heard}`,
  ahead: `SELECT j.id, ${ahead} AS ahead, ${opens}::float8 AS opens, j.pace, j.wakes::float8 AS wakes
    FROM {jobs} j WHERE ${heldById("$1")}`,
  heldOfTools: `WITH ${clock} SELECT tool, count(*)::float8 AS held, min(due)::float8 AS since, ${now}::float8 AS now
    FROM {jobs} WHERE phase = -1 GROUP BY tool`,
  /** Counts in the order of the index: a hash table of a million keys exceeds the server's work memory. */
  heldOfKeys: `WITH ${clock}, counted AS (SELECT limit_key, count(*)::float8 AS held
      FROM (SELECT limit_key FROM {jobs} WHERE phase = -1 ORDER BY limit_key, coalesce(line, seq) OFFSET 0) AS waiting
      GROUP BY limit_key ORDER BY count(*) DESC, limit_key LIMIT $2)
    SELECT counted.limit_key AS key, of_key.tool, counted.held, of_key.since, ${now}::float8 AS now
    FROM counted CROSS JOIN LATERAL (SELECT min(tool) AS tool, min(due)::float8 AS since FROM {jobs} j
      WHERE j.limit_key = counted.limit_key AND j.phase = -1) AS of_key ORDER BY held DESC, key`,
  jobsOfKey: `SELECT j.id, j.owner FROM {jobs} j WHERE j.limit_key = $1 AND j.phase < 3
      AND j.phase BETWEEN $2::smallint AND $3::smallint AND ($4::boolean OR j.owner IS NOT DISTINCT FROM $5::text) LIMIT $6`,
  /** Finds keys that are due and have waiting jobs; for the next keys, the milliseconds until they are due. */
  dueKeys: `WITH ${clock}, ${rested} SELECT limit_key, NULL::float8 AS wait FROM due WHERE is_held
    UNION ALL SELECT NULL, (min(due) - ${now})::float8 FROM {limit_keys} WHERE due > ${now}`,
  /**
   * Finds keys after `$3` with waiting jobs although there is room: the process that ended the last job was lost before
   * it could admit them.
   */
  stalledKeys: `WITH RECURSIVE ${clock}, ${rested}, keys AS (
      (SELECT limit_key, 1 AS n FROM {jobs} WHERE phase = -1 AND limit_key > $3 ORDER BY limit_key LIMIT 1)
      UNION ALL SELECT (SELECT j.limit_key FROM {jobs} j WHERE j.phase = -1 AND j.limit_key > keys.limit_key
        ORDER BY j.limit_key LIMIT 1), n + 1 FROM keys WHERE keys.limit_key IS NOT NULL AND n < $2),
    idle AS (DELETE FROM {limit_keys} k WHERE k.limit_key IN (SELECT i.limit_key FROM {limit_keys} i
      WHERE i.limit_key > $3 AND (i.free_at IS NULL OR i.free_at <= ${now})
        AND NOT EXISTS (SELECT 1 FROM {jobs} j WHERE j.limit_key = i.limit_key AND j.phase = -1)
      ORDER BY i.limit_key LIMIT $2 FOR UPDATE OF i SKIP LOCKED))
    SELECT limit_key FROM keys WHERE limit_key IS NOT NULL`,
} as const;
