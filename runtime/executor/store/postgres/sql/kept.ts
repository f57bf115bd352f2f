import { maxKept, maxKeptBytes } from "../../../../job/steps/kept-step.ts";
import { maxAttempts } from "../../shared-rules.ts";
import { clock, heard, isDebounced, isExpired, now, remember, tell } from "./fragments.ts";
import { inLine, joinsAgain, lastInLine } from "./limits.ts";
import { isHeld, isHeldOrCancelled, leases } from "./held-jobs.ts";

/** Splits a text into its lines, which are names. */
const names = (lines: string): string => `string_to_array(coalesce(${lines}, ''), E'\\n')`;

const isWaited = `(j.phase = 1 AND given.name = ANY (${names("j.waits")}))`;

/**
 * SQL that stores steps, and the events around them. Locks the job's row first, so that an attempt which has lost its
 * job stores nothing. `$18` says that a job may have more events than are kept; only then are the first and the last
 * one looked up.
 *
 * @param isRepeat True if events may be in the table already. Checking for that costs 7 % of the steps a second, so only
 *   a repeated statement does it.
 */
const keep = (isRepeat: boolean): string =>
  `WITH ${clock}, given AS (SELECT * FROM ${leases}) AS x(id, attempt, token)),
    held AS MATERIALIZED (SELECT j.seq, j.id, j.attempt, j.phase, j.kept, j.max_attempts FROM {jobs} j JOIN given ON ${isHeldOrCancelled} ORDER BY j.seq
      FOR NO KEY UPDATE OF j),
    fresh AS (UPDATE {jobs} j SET kept = true, max_attempts = greatest(j.max_attempts, j.attempt + ${maxAttempts})
      FROM held WHERE j.seq = held.seq AND held.id = ANY ($5) AND (held.kept IS NOT TRUE OR held.max_attempts < held.attempt + ${maxAttempts})),
    said AS (SELECT * FROM unnest($5::text[], $6::text[], $7::smallint[], $8::integer[], $9::text[], $10::text[],
      $11::text[], $12::float8[], $13::float8[], $14::float8[])
      AS y(id, key, state, tries, fingerprint, value, error, delay, until, took)),
    added AS (INSERT INTO {steps} AS known (job, key, state, attempt, tries, fingerprint, value, error, due, started, ended)
      SELECT held.seq, said.key, said.state, held.attempt, said.tries, said.fingerprint, said.value, said.error,
        coalesce(${now} + said.delay::bigint, said.until::bigint), ${now} - said.took::bigint,
        CASE WHEN said.state > 0 THEN ${now} END
      FROM held JOIN said ON said.id = held.id
      ON CONFLICT (job, key) DO UPDATE SET state = excluded.state, attempt = excluded.attempt, tries = excluded.tries,
        fingerprint = excluded.fingerprint, value = excluded.value, error = excluded.error, due = excluded.due,
        started = CASE known.state WHEN 0 THEN known.started ELSE excluded.started END, ended = excluded.ended),
    spoken AS (SELECT * FROM unnest($15::text[], $16::integer[], string_to_array($17::text, E'\\n')) AS z(id, sequence, body)),
    reported AS (INSERT INTO {events} (job, sequence, body)
      SELECT held.seq, spoken.sequence, spoken.body FROM held JOIN spoken ON spoken.id = held.id
      WHERE held.phase = 2 AND (NOT $18 OR spoken.sequence > coalesce((SELECT max(sequence) FROM {events} WHERE job = held.seq), 0))
      ${isRepeat ? "ON CONFLICT DO NOTHING" : ""}),
    told AS MATERIALIZED (${tell("events", "id", "held WHERE phase = 2 AND id = ANY ($15)")})
    SELECT id, seq::float8 AS seq, CASE WHEN $18::boolean THEN (SELECT min(sequence) FROM {events} WHERE job = held.seq) END AS first
    FROM held WHERE phase = 2 AND ${heard}`;

/** Stores steps and messages of jobs. */
export const keptTexts = {
  keep: keep(false),
  keepAgain: keep(true),
  park: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::float8[], $6::float8[], $7::text[])
      AS x(id, attempt, token, delay, until, waits)),
    back AS (UPDATE {jobs} j SET attempt = j.attempt - 1, token = NULL, started = NULL, waits = given.waits, kept = true,
      phase = CASE WHEN j.mail IS NOT NULL AND ${names("j.mail")} && ${names("given.waits")} THEN 0 ELSE 1 END,
      due = coalesce(${now} + given.delay::bigint, given.until::bigint), ${remember("parked")}
      FROM given WHERE ${isHeld} RETURNING j.id, j.tool, j.phase, j.limit_key),
    told AS MATERIALIZED (${tell("ready", "tool", "back WHERE phase = 0")})
    SELECT id, CASE WHEN phase > 0 THEN limit_key END AS limit_key FROM back WHERE ${heard}`,
  fork: `WITH ${clock}, old AS (SELECT * FROM {jobs} j WHERE j.id = $2 AND j.phase >= 3 AND j.kept AND NOT ${isExpired}),
    made AS (INSERT INTO {jobs} (phase, due, attempt, kept, id, max_attempts, ttl, tool, owner, caller, input, limit_key, cap, pace, burst, head_start, early)
      SELECT ${inLine("old.")}, ${now}, 0, true, $3, ${maxAttempts}, ttl, tool, owner, caller, input, limit_key, cap, pace, burst, head_start, ${now} - head_start FROM old
      ON CONFLICT DO NOTHING RETURNING seq, id, tool, phase, limit_key),
    copied AS (INSERT INTO {steps} (job, key, state, attempt, tries, fingerprint, value, error, started, ended)
      SELECT made.seq, s.key, s.state, 0, s.tries, s.fingerprint, s.value, s.error, s.started, s.ended
      FROM made, old JOIN {steps} s ON s.job = old.seq WHERE s.key = ANY ($4::text[])),
    told AS MATERIALIZED (${tell("ready", "tool", "made WHERE phase = 0")})
    SELECT id, limit_key FROM made WHERE ${heard}`,
  /** Sends messages. All conditions read only the job's own row, which is as recent as its lock. */
  sendMessage: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      AS x(id, name, body, once, sender)),
    taken AS (UPDATE {jobs} j SET kept = CASE WHEN ${isDebounced} THEN NULL ELSE true END, mailed = coalesce(j.mailed, 0) + 1,
        mail_bytes = coalesce(j.mail_bytes, 0) + octet_length(given.body),
        mail = CASE WHEN given.name = ANY (${names("j.mail")}) THEN j.mail ELSE coalesce(j.mail || E'\\n', '') || given.name END,
        phase = CASE WHEN ${isWaited} THEN ${inLine()} ELSE j.phase END,
        line = CASE WHEN ${isWaited} THEN ${lastInLine} ELSE j.line END,
        early = CASE WHEN ${isWaited} THEN ${joinsAgain} ELSE j.early END, due = CASE WHEN ${isWaited} THEN ${now} ELSE j.due END
      FROM given WHERE j.id = given.id AND j.phase < 3 AND coalesce(j.mailed, 0) < ${maxKept}
        AND coalesce(j.mail_bytes, 0) + octet_length(given.body) <= ${maxKeptBytes}
        AND NOT EXISTS (SELECT 1 FROM {messages} m WHERE m.job = j.seq AND m.once = given.once)
      RETURNING j.seq, j.id, j.tool, j.phase, j.mailed, j.limit_key),
    added AS (INSERT INTO {messages} (job, sequence, name, body, once, sender, sent)
      SELECT taken.seq, taken.mailed, given.name, given.body, given.once, given.sender, ${now}
      FROM taken JOIN given ON given.id = taken.id ON CONFLICT DO NOTHING RETURNING job),
    told AS MATERIALIZED (${tell("answers", "id", "taken")} UNION ALL ${tell("ready", "tool", "taken WHERE phase = 0")})
    SELECT taken.id, added.job IS NOT NULL AS is_added, CASE WHEN taken.phase < 0 THEN taken.limit_key END AS limit_key FROM taken LEFT JOIN added ON added.job = taken.seq WHERE ${heard}`,
  /** The reasons why messages were refused. */
  unsent: `SELECT j.id, j.phase, EXISTS (SELECT 1 FROM {messages} m WHERE m.job = j.seq AND m.once = given.once) AS is_known
    FROM unnest($1::text[], $2::text[]) AS given(id, once) JOIN {jobs} j ON j.id = given.id`,
  steps: `WITH ${clock} SELECT j.id, s.key, s.state, s.attempt, s.tries, s.fingerprint, s.value, s.error,
      (s.due - ${now})::float8 AS remaining, s.started::float8, s.ended::float8
    FROM {jobs} j JOIN {steps} s ON s.job = j.seq WHERE j.id = ANY ($2::text[]) ORDER BY s.job, s.key`,
  messages: `SELECT j.id, m.name, m.body, m.once, m.sender, m.sent::float8
    FROM {jobs} j JOIN {messages} m ON m.job = j.seq WHERE j.id = ANY ($1::text[]) ORDER BY m.job, m.sequence`,
} as const;
