import { mostAhead } from "../../../../contract/wait-text.ts";
import { mostAttempts } from "../../attempts.ts";
import { anyOfThem, maxListBytes, messageKinds } from "../channel.ts";

/**
 * SQL of the database's time in milliseconds since 1970, which is used because replicas have different clocks. Tests
 * pass another time.
 */
export const clock =
  "clock AS MATERIALIZED (SELECT coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now)";

/** The time of the database within a statement. */
export const now = "(SELECT now FROM clock)";

/**
 * True for a row that is due. The range has a lower bound so that the planner uses the index: for two bounds it expects
 * few rows, for an upper bound alone a third of all rows, and it would read a million parked jobs.
 */
export const isDue = `j.due BETWEEN 0 AND ${now}`;

/** True for a row that has expired, though it is not dropped yet. */
export const isExpired = `(j.phase >= 3 AND CASE j.phase WHEN 3 THEN j.due ELSE coalesce(j.expires, 0) END <= ${now})`;

/**
 * True for a job that a debounce delays and that has not started, so that further requests join it. `kept` is part of
 * the index which finds these jobs, so it is not set for a message to such a job, but when the job ends.
 */
export const isDebounced =
  "j.phase = -1 AND j.wakes IS NOT NULL AND j.attempt = 0 AND j.history IS NULL AND j.kept IS NULL";

/** SQL of `kept` of a job that ends: true if it has steps or messages. */
export const keptAtEnd = "(j.kept OR j.mail IS NOT NULL)";

/**
 * Ends a job; `due` is the number of seconds for which it remains stored. Its request is kept for a fork; that of a job
 * that is cancelled while it runs, too, since the step that runs may still be stored. One of at most `{kept_input}`
 * bytes is kept for people.
 */
export const end = (outcome: string, due = "j.ttl", phase = "3"): string =>
  `SET phase = ${phase}, due = ${now} + (${due} * 1000)::bigint, ended = ${now}, talk = NULL, replies = NULL,
    kept = ${keptAtEnd}, outcome = ${outcome}, input = CASE WHEN ${keptAtEnd} OR (j.phase = 2 AND ${outcome} = 'cancelled')
      OR octet_length(j.input) <= {kept_input} THEN j.input END`;

export const cancel = `${end("'cancelled'")}, content_type = NULL`;

/** SQL that appends the current attempt of a row to its history. */
export const remember = (how: "lost" | "released" | "parked", detail = "NULL::text"): string =>
  `history = CASE WHEN jsonb_array_length(j.history) >= ${mostAttempts} THEN j.history - 0 ELSE coalesce(j.history, '[]') END ||
    jsonb_build_object('attempt', j.attempt, 'started', j.started, 'ended', ${now}, 'end', '${how}', 'worker', j.worker,
      'detail', ${detail}, 'last', (SELECT max(sequence) FROM {events} WHERE job = j.seq))`;

/**
 * SQL that notifies all replicas of changed rows, in one message for a whole batch. It runs only with the condition
 * {@link heard}.
 */
export const tell = (kind: keyof typeof messageKinds, column: "id" | "tool", rows: string): string =>
  `SELECT pg_notify('{channel}', '${messageKinds[kind]}' ||
    CASE WHEN octet_length(list) > ${maxListBytes} THEN '${anyOfThem}' ELSE list END)
  FROM (SELECT json_agg(DISTINCT ${column})::text AS list FROM ${rows}) AS all_rows WHERE list IS NOT NULL`;

/**
 * An always true condition that reads the result of {@link tell}: otherwise PostgreSQL would not run it, and the
 * message would not be sent.
 */
export const heard = "(SELECT count(*) FROM told) >= 0";

/** SQL of the time from which a rate lets the next job of a row's key start. */
export const opens =
  "(SELECT k.free_at - (j.burst - 1) * j.pace FROM {limit_keys} k WHERE k.limit_key = j.limit_key AND j.pace IS NOT NULL)";

/** SQL of the number of jobs before a job that is held, of which a limited number is counted. */
export const ahead = `(CASE WHEN j.early IS NULL THEN {ahead}(j.limit_key, coalesce(j.line, j.seq), ${mostAhead})
    ELSE {ahead}(j.limit_key, j.early, j.seq, ${mostAhead}) END)`;

/** The columns of a record with its events. */
export const record = `j.seq::float8 AS seq, j.id, j.phase, j.due::float8 AS due, j.expires::float8 AS expires, j.ended::float8 AS ended, j.attempt, j.tool,
  j.owner, j.idempotency_digest, j.traceparent, j.outcome, j.content_type, j.content, j.talk, j.replies, j.waits, j.limit_key, CASE WHEN j.phase = -1 THEN ${ahead} END AS ahead,
  CASE WHEN j.phase = -1 THEN ${opens}::float8 END AS opens, j.pace, j.wakes::float8 AS wakes, ${isExpired} AS is_expired,
  ARRAY(SELECT e.sequence FROM {events} e WHERE e.job = j.seq ORDER BY e.sequence) AS sequences,
  ARRAY(SELECT e.body FROM {events} e WHERE e.job = j.seq ORDER BY e.sequence) AS bodies`;
