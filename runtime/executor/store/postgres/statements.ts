import { createHash } from "node:crypto";
import { channelOf } from "./channel.ts";
import type { Statement } from "./connection/database.ts";
import { literal, quoteName } from "./schema.ts";
import { claimTexts } from "./sql/claims.ts";
import { heldTexts } from "./sql/held-jobs.ts";
import { housekeepingTexts } from "./sql/housekeeping.ts";
import { briefColumns, stateColumn } from "../list-rows.ts";
import { inLine, lastInLine, limitTexts } from "./sql/limits.ts";
import { keptTexts } from "./sql/kept.ts";
import { scheduleTexts } from "./sql/schedules.ts";
import { maxTalkBytes } from "../shared-rules.ts";
import { cancel, clock, heard, isDebounced, isDue, isExpired, now, record, tell } from "./sql/fragments.ts";

/** Submissions of jobs. */
const submissionTexts = {
  insert: `WITH ${clock}, given AS (
      SELECT * FROM unnest($2::text[], $3::float8[], $4::text[], $5::integer[], $6::float8[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::integer[],
        $20::float8[], $21::integer[], $22::float8[], $23::bigint[]) WITH ORDINALITY AS x(id, seconds, token, max_attempts,
        ttl, tool, owner, key, digest, traceparent, tracestate, baggage, caller, talk, input, worker, limit_key, cap, pace, burst, debounce, head_start, n)),
    added AS (INSERT INTO {jobs} (phase, due, attempt, token, started, id, max_attempts, ttl, tool, owner, idempotency_key,
      idempotency_digest, traceparent, tracestate, baggage, caller, talk, input, worker, limit_key, cap, pace, burst, wakes, head_start, early)
    SELECT CASE WHEN limit_key IS NOT NULL THEN -1 WHEN seconds IS NULL THEN 0 ELSE 2 END, ${now} + CASE WHEN limit_key IS NULL THEN coalesce((seconds * 1000)::bigint, 0) ELSE 0 END,
      CASE WHEN seconds IS NULL OR limit_key IS NOT NULL THEN 0 ELSE 1 END, token, CASE WHEN seconds IS NULL OR limit_key IS NOT NULL THEN NULL ELSE ${now} END,
      id, max_attempts, ttl, tool, owner, key, digest, traceparent, tracestate, baggage, caller, talk, input, worker, limit_key, cap, pace, burst, ${now} + debounce::bigint, head_start, ${now} - head_start
    FROM given ORDER BY n ON CONFLICT DO NOTHING RETURNING id, phase, tool),
    told AS MATERIALIZED (${tell("ready", "tool", "added WHERE phase = 0")})
    SELECT id FROM added WHERE ${heard}`,
  known: `WITH ${clock}, given AS (
      SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS x(id, key, owner, n))
    SELECT given.n::integer AS n, found.* FROM given CROSS JOIN LATERAL (
      SELECT true AS by_key, j.token, ${record} FROM {jobs} j
        WHERE j.idempotency_key = given.key AND j.owner IS NOT DISTINCT FROM given.owner
      UNION ALL SELECT false, j.token, ${record} FROM {jobs} j WHERE j.id = given.id) AS found`,
  /** Debounces: gives the requests of new jobs to existing jobs of the same callers that have not started. */
  join: `WITH ${clock}, given AS (
      SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::bigint[]) WITH ORDINALITY
        AS x(key, owner, input, caller, debounce, most, head_start, n)),
    joined AS (UPDATE {jobs} j SET input = given.input, caller = given.caller,
        wakes = least(${now} + given.debounce::bigint, j.due + given.most::bigint),
        head_start = given.head_start, early = j.due - given.head_start
      FROM given WHERE j.limit_key = given.key AND j.owner IS NOT DISTINCT FROM given.owner AND ${isDebounced}
      RETURNING given.n, j.*)
    SELECT joined.n::integer AS n, false AS by_key, NULL::text AS token, found.*
    FROM joined CROSS JOIN LATERAL (SELECT ${record} FROM (SELECT joined.*) AS j) AS found`,
  /** Returns the tools of finished jobs that it drops: dead letters are counted whenever some are added. */
  dropExpiredOf: `WITH ${clock}, gone AS (
      DELETE FROM {jobs} j WHERE j.seq = ANY ($2::bigint[]) AND ${isExpired} RETURNING j.seq, j.tool, j.phase),
    silent AS (DELETE FROM {events} USING gone WHERE job = gone.seq)
    SELECT tool FROM gone WHERE phase = 3`,
} as const;

const listed =
  "j.seq::float8, j.id, j.phase, j.attempt, j.tool, j.traceparent, j.started::float8, j.ended::float8, j.outcome, " +
  briefColumns;

/** Reads jobs and lists of them; sends notes. */
const readTexts = {
  get: `WITH ${clock} SELECT ${record} FROM {jobs} j WHERE j.id = ANY ($2::text[]) AND NOT ${isExpired}`,
  /**
   * Counts jobs. `at` is the time at which the longest waiting job became claimable. Only the first job of each tool is
   * read: a job that has come back is older than the jobs after it.
   */
  counts: `WITH ${clock}, counted AS (
      SELECT j.tool, count(*) AS waiting, 0 AS running, 0 AS dead, (SELECT min(due) FROM (SELECT f.due
        FROM {jobs} f WHERE f.phase = 0 AND f.tool = j.tool ORDER BY coalesce(f.line, f.seq) LIMIT 100) AS first) AS at FROM {jobs} j WHERE j.phase = 0 GROUP BY j.tool
      UNION ALL SELECT j.tool, count(*) FILTER (WHERE j.phase = 1), count(*) FILTER (WHERE j.phase = 2),
        count(*) FILTER (WHERE j.phase = 4), min(j.due) FILTER (WHERE j.phase = 1) FROM {jobs} j
        WHERE j.phase > 0 AND (j.phase IN (2, 4) OR (j.phase = 1 AND ${isDue})) GROUP BY j.tool)
    SELECT tool, waiting::float8, running::float8, dead::float8, at::float8, ${now}::float8 AS now FROM counted`,
  list: `SELECT ${listed}, wanted, examined::float8 FROM (
      SELECT j.*, count(*) OVER () AS examined, min(j.seq) OVER () AS last, ($4::text[] IS NULL OR j.tool = ANY ($4))
          AND ($5::text IS NULL OR ${stateColumn} = $5)
          AND ($6::text IS NULL OR coalesce(strpos(j.traceparent, $6), 0) > 0) AS wanted
        FROM (SELECT j.* FROM {jobs} j WHERE j.seq < $1 AND ($2::boolean OR j.owner IS NOT DISTINCT FROM $3)
          ORDER BY j.seq DESC LIMIT $7) AS j) AS j
    WHERE wanted OR j.seq = last ORDER BY j.seq DESC LIMIT $8`,
  listOne: `SELECT ${listed} FROM {jobs} j WHERE j.id = $1 AND j.seq < $2 AND ($3::boolean OR j.owner IS NOT DISTINCT FROM $4)`,
  listed: `SELECT ${listed} FROM {jobs} j WHERE j.id = $1`,
  input: "SELECT input FROM {jobs} WHERE id = $1",
  attempts: `SELECT j.phase, j.attempt, j.started::float8, j.ended::float8, j.outcome, j.worker, j.history::text AS history
    FROM {jobs} j WHERE j.id = $1`,
  deadLetters: `SELECT j.id, j.tool, j.owner, j.attempt, j.ended::float8, j.detail, j.content FROM {jobs} j
    WHERE j.phase > 0 AND j.phase = 4 ORDER BY j.due DESC, j.seq DESC LIMIT $1`,
  send: "SELECT pg_notify($1, $2)",
} as const;

/** True while a job of any tool of the service in the row `known` waits, also for a limit, or runs. */
const hasWork = `EXISTS (SELECT 1 FROM {tools} own JOIN {jobs} j ON j.tool = own.tool AND j.phase = 0
    WHERE own.service = known.service)
  OR EXISTS (SELECT 1 FROM {jobs} j JOIN {tools} own ON j.tool = own.tool
    WHERE j.phase = -1 AND own.service = known.service)
  OR EXISTS (SELECT 1 FROM {jobs} j JOIN {tools} own ON j.tool = own.tool
    WHERE j.phase > 0 AND j.phase IN (1, 2) AND own.service = known.service)`;

/** Stores which tools belong to which service. */
const toolTexts = {
  /**
   * Claims tools for the service; returns those that belong to it now. A tool of another service is taken over if that
   * service was last seen long ago.
   */
  ownTools: `WITH ${clock} INSERT INTO {tools} AS known (tool, service, seen)
      SELECT tool, $3, ${now} FROM unnest($2::text[]) AS given(tool) ORDER BY tool
    ON CONFLICT (tool) DO UPDATE SET service = excluded.service, seen = excluded.seen
      WHERE known.service = excluded.service
        OR (known.seen < excluded.seen - $4::bigint AND NOT (${hasWork}))
    RETURNING tool`,
  ownerOf: "SELECT tool, service FROM {tools} WHERE tool = ANY ($1::text[]) ORDER BY tool LIMIT 1",
  /** Records that the service is running, and returns a tool that now belongs to another service. */
  seeTools: `WITH ${clock}, seen AS (UPDATE {tools} SET seen = ${now}
      WHERE tool = ANY ($2::text[]) AND service = $3 AND seen < ${now} - $4::bigint)
    SELECT tool, service FROM {tools} WHERE tool = ANY ($2::text[]) AND service <> $3 ORDER BY tool LIMIT 1`,
} as const;

/** Statements that change jobs without requiring their lease. */
const anyJobTexts = {
  cancel: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::bytea[]) AS x(id, content)),
    done AS (UPDATE {jobs} j ${cancel}, content = given.content
      FROM given WHERE j.id = given.id AND j.phase < 3 RETURNING j.id, j.tool, j.limit_key),
    told AS MATERIALIZED (${tell("ended", "id", "done")})
    SELECT id, tool, limit_key FROM done WHERE ${heard}`,
  /** Adds answers by appending lines only, so that replicas need not know one another's answers. */
  answer: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::text[]) AS x(id, line)),
    taken AS (UPDATE {jobs} j SET replies = coalesce(j.replies || E'\\n', '') || given.line FROM given
      WHERE j.id = given.id AND j.phase < 3
        AND coalesce(octet_length(j.replies), 0) + octet_length(given.line) < ${maxTalkBytes} RETURNING j.id),
    told AS MATERIALIZED (${tell("answers", "id", "taken")})
    SELECT id FROM taken WHERE ${heard}`,
  redrive: `WITH ${clock}, back AS (UPDATE {jobs} j SET phase = ${inLine()}, line = ${lastInLine}, early = ${now} - j.head_start, due = ${now}, wakes = NULL, attempt = 0, started = NULL, ended = NULL, expires = NULL,
      outcome = NULL, content = NULL WHERE id = $2 AND phase = 4 RETURNING seq, tool, phase, limit_key),
    silent AS (DELETE FROM {events} USING back WHERE job = back.seq),
    told AS MATERIALIZED (${tell("ready", "tool", "back WHERE phase = 0")})
    SELECT limit_key FROM back WHERE ${heard}`,
} as const;

/**
 * Tests rights and disk space by writing a row like that of a job. The row is rolled back by an exception that is
 * caught, since a transaction would stay open after an error.
 */
const probeTexts = {
  probe: `DO $probe$ BEGIN
    INSERT INTO {jobs} (id, phase, due, attempt, max_attempts, ttl, tool) SELECT '', 3, 0, 0, 0, 0, '' WHERE false;
    UPDATE {jobs} SET due = due WHERE false;
    DELETE FROM {jobs} WHERE false;
    UPDATE {events} SET body = body WHERE false;
    DELETE FROM {events} WHERE false;
    UPDATE {steps} SET value = value WHERE false;
    UPDATE {messages} SET body = body WHERE false;
    UPDATE {limit_keys} SET due = due WHERE false;
    UPDATE {tools} SET seen = seen WHERE false;
    UPDATE {schedules} SET next = next WHERE false;
    INSERT INTO {events} (job, sequence, body)
      SELECT -1, 0, string_agg(md5(random()::text), '') FROM generate_series(1, 256);
    RAISE EXCEPTION SQLSTATE 'TN001';
  EXCEPTION WHEN SQLSTATE 'TN001' THEN NULL; END $probe$`,
} as const;

/**
 * The statements by name; `{jobs}`, `{events}` … stand for the tables, `{channel}` for the channel, and `$1`
 * is the time of a test, or NULL.
 */
const texts = {
  ...submissionTexts,
  ...claimTexts,
  ...heldTexts,
  ...keptTexts,
  ...scheduleTexts,
  ...limitTexts,
  ...anyJobTexts,
  ...housekeepingTexts,
  ...toolTexts,
  ...readTexts,
  ...probeTexts,
} as const;

/** The statements of a store. */
export type Statements = { readonly [name in keyof typeof texts]: Statement };

/**
 * The statements for a schema. Each statement names its tables with the schema: a pooler may run each transaction on
 * another connection.
 *
 * @param keptInput Maximum bytes of a request that stays stored after the end of its job
 */
export function statementsOf(schema: string, keptInput = 0): Statements {
  const name = quoteName(schema);
  const statements = Object.entries(texts).map(([key, text]) => {
    const full = text
      .replaceAll("{jobs}", `${name}.jobs`)
      .replaceAll("{events}", `${name}.events`)
      .replaceAll("{tools}", `${name}.tools`)
      .replaceAll("{steps}", `${name}.steps`)
      .replaceAll("{limit_keys}", `${name}.limit_keys`)
      .replaceAll("{let_in}", `${name}.let_in`)
      .replaceAll("{ahead}", `${name}.ahead`)
      .replaceAll("{sequence}", literal(`${name}.jobs_seq_seq`))
      .replaceAll("{messages}", `${name}.messages`)
      .replaceAll("{schedules}", `${name}.schedules`)
      .replaceAll("{kept_input}", String(keptInput))
      .replaceAll("{channel}", channelOf(schema));
    // The name contains a hash: schemas share the connections of a pooler, and the name of a statement must be short.
    return [key, { name: `tenon_${key}_${hashOf(full)}`, text: full }] as const;
  });
  return Object.fromEntries(statements) as Statements;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
