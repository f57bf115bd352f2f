import { firstInLine, inLine } from "./limits.ts";
import { clock, end, heard, isExpired, now, remember, tell } from "./fragments.ts";

/** Joins jobs with the leases in `given` that hold them. */
const isOfLease = "j.id = given.id AND j.attempt = given.attempt AND j.token = given.token";
export const isHeld = `${isOfLease} AND j.phase = 2`;
/**
 * Like {@link isOfLease}, but also true for a job that was cancelled under the lease: a step that ends after the
 * cancellation has still run.
 */
export const isHeldOrCancelled = `${isOfLease} AND (j.phase = 2 OR j.outcome = 'cancelled')`;

export const leases = "unnest($2::text[], $3::integer[], $4::text[]";

/** Writes about jobs by the process that holds their lease. */
export const heldTexts = {
  renew: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::float8[]) AS x(id, attempt, token, seconds))
    UPDATE {jobs} j SET due = ${now} + (given.seconds * 1000)::bigint FROM given WHERE ${isHeld} RETURNING j.id`,
  release: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::float8[]) AS x(id, attempt, token, delay)),
    back AS (UPDATE {jobs} j SET phase = CASE WHEN given.delay > 0 THEN 1 ELSE 0 END, attempt = j.attempt - 1, token = NULL, started = NULL, ${remember("released")},
      due = ${now} + (given.delay * 1000)::bigint
      FROM given WHERE ${isHeld} RETURNING j.id, j.tool, j.phase, j.limit_key),
    told AS MATERIALIZED (${tell("ready", "tool", "back WHERE phase = 0")})
    SELECT id, CASE WHEN phase > 0 THEN limit_key END AS limit_key FROM back WHERE ${heard}`,
  /** Ends jobs. `dead`: the seconds for which a dead letter is stored, else NULL; a dead letter has no tool. */
  settle: `WITH ${clock}, given AS (
      SELECT * FROM ${leases}, $5::text[], $6::text[], $7::bytea[], $8::float8[]) AS x(id, attempt, token, outcome, type, content, dead)),
    done AS (UPDATE {jobs} j ${end("given.outcome", "coalesce(given.dead, j.ttl)", "CASE WHEN given.dead IS NULL THEN 3 ELSE 4 END")},
      expires = CASE WHEN given.dead IS NULL THEN j.expires ELSE ${now} + (j.ttl * 1000)::bigint END,
      content_type = given.type, content = given.content FROM given WHERE ${isHeld} RETURNING j.id, CASE j.phase WHEN 3 THEN j.tool END AS tool, j.limit_key),
    told AS MATERIALIZED (${tell("ended", "id", "done")})
    SELECT id, tool, limit_key FROM done WHERE ${heard}`,
  /** Adds events. The job's row is locked meanwhile, so that no event is added after the job's end. */
  progress: `WITH given AS (SELECT * FROM unnest($1::text[], $2::integer[], $3::text[]) AS x(id, attempt, token)),
    held AS MATERIALIZED (SELECT j.seq, j.id,
      (SELECT min(sequence) FROM {events} WHERE job = j.seq) AS first,
      coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0) AS last
      FROM {jobs} j JOIN given ON ${isHeld} ORDER BY j.seq
      FOR NO KEY UPDATE OF j),
    said AS (SELECT * FROM unnest($4::text[], $5::integer[], string_to_array($6::text, E'\\n')) AS x(id, sequence, body)),
    added AS (INSERT INTO {events} (job, sequence, body)
      SELECT held.seq, said.sequence, said.body FROM held JOIN said ON said.id = held.id
      WHERE said.sequence > held.last
      ON CONFLICT DO NOTHING),
    told AS MATERIALIZED (${tell("events", "id", "held")})
    SELECT held.id, held.seq::float8 AS seq, held.first FROM held WHERE ${heard}`,
  dropOldEvents: `DELETE FROM {events} e USING unnest($1::bigint[]) AS given(job) CROSS JOIN LATERAL (
      SELECT kept.sequence FROM {events} kept WHERE kept.job = given.job ORDER BY kept.sequence DESC LIMIT 1 OFFSET $2
    ) AS last_dropped WHERE e.job = given.job AND e.sequence <= last_dropped.sequence`,
  ask: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::text[]) AS x(id, attempt, token, talk))
    UPDATE {jobs} j SET talk = given.talk FROM given WHERE ${isHeld} RETURNING j.id`,
  /** Ends attempts of dead workers at once; after the last attempt the job is a dead letter. */
  lose: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::text[]) AS x(id, attempt, token, detail)),
    lost AS (SELECT j.seq, given.detail, j.attempt >= j.max_attempts AS is_last FROM {jobs} j JOIN given ON ${isHeld}
      FOR UPDATE OF j),
    over AS (UPDATE {jobs} j SET phase = CASE WHEN is_last THEN 4 ELSE ${inLine()} END, ${firstInLine}, token = NULL, detail = lost.detail, started = CASE WHEN is_last THEN j.started END,
      ${remember("lost", "split_part(lost.detail, chr(10), 1)")},
      due = ${now} + CASE WHEN is_last THEN ($6::float8 * 1000)::bigint ELSE 0 END,
      ended = CASE WHEN is_last THEN ${now} END,
      expires = CASE WHEN is_last THEN ${now} + (j.ttl * 1000)::bigint END,
      outcome = CASE WHEN is_last THEN 'error' END, content = CASE WHEN is_last THEN $7::bytea END
      FROM lost WHERE j.seq = lost.seq RETURNING j.id, j.tool, j.phase, j.limit_key),
    told AS MATERIALIZED (${tell("ended", "id", "over WHERE phase = 4")} UNION ALL
      ${tell("ready", "tool", "over WHERE phase = 0")})
    SELECT id, limit_key FROM over WHERE ${heard}`,
  /** The reasons why writes under leases had no effect. */
  refusals: `WITH ${clock} SELECT j.id, j.phase, j.outcome, CASE j.outcome WHEN 'cancelled' THEN j.content END AS content
    FROM {jobs} j WHERE j.id = ANY ($2::text[]) AND NOT ${isExpired}`,
} as const;
