import { createHash } from "node:crypto";
import { mostAttempts } from "../attempts.ts";
import { claimColumns } from "../rows.ts";
import { maxTalkBytes } from "../shared-rules.ts";
import { anyOfThem, channelOf, maxListBytes, messageKinds } from "./channel.ts";
import type { Statement } from "./database.ts";
import { quoteName } from "./schema.ts";

/** The time of the database in milliseconds since 1970: replicas have clocks of their own. Tests give another time. */
const clock =
  "clock AS MATERIALIZED (SELECT coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now)";
const now = "(SELECT now FROM clock)";
const isExpired = `(j.phase >= 3 AND CASE j.phase WHEN 3 THEN j.due ELSE coalesce(j.expires, 0) END <= ${now})`;
/** False for jobs in their last attempt where they are not wanted. */
const isClaimable = "(NOT $5::boolean OR j.attempt = 0 OR j.attempt + 1 < j.max_attempts)";
/** The rows that a lease holds; `given` has the leases. */
const isHeld = "j.id = given.id AND j.attempt = given.attempt AND j.token = given.token AND j.phase = 2";
const leases = "unnest($2::text[], $3::integer[], $4::text[]";
/** The columns of a claim as they were before it. */
const claimed = claimColumns
  .split(", ")
  .map((column) => (column === "seq" ? "j.seq::float8" : column === "attempt" ? "j.attempt - 1" : `j.${column}`))
  .join(", ");
const listed =
  "j.seq::float8, j.id, j.phase, j.attempt, j.tool, j.traceparent, j.started::float8, j.ended::float8, j.outcome";
const take =
  "SET phase = 2, due = (SELECT now FROM clock) + (picked.seconds * 1000)::bigint, attempt = j.attempt + 1, " +
  "token = gen_random_uuid()::text, started = (SELECT now FROM clock), worker = picked.worker";
const end = (due: string): string =>
  `SET phase = 3, due = ${now} + (${due} * 1000)::bigint, ended = ${now}, token = NULL, input = NULL, talk = NULL, replies = NULL`;

/** Adds the attempt that a row has to its history, without it to the columns. */
const remember = (how: "lost" | "released", detail = "NULL::text"): string =>
  `history = CASE WHEN jsonb_array_length(j.history) >= ${mostAttempts} THEN j.history - 0 ELSE coalesce(j.history, '[]') END ||
    jsonb_build_object('attempt', j.attempt, 'started', j.started, 'ended', ${now}, 'end', '${how}', 'worker', j.worker,
      'detail', ${detail}, 'last', (SELECT max(sequence) FROM {events} WHERE job = j.seq))`;

/** Tells all replicas of rows, in one message for a whole batch; {@link heard} sends it. */
const tell = (kind: keyof typeof messageKinds, column: "id" | "tool", rows: string): string =>
  `SELECT pg_notify('{channel}', '${messageKinds[kind]}' ||
    CASE WHEN octet_length(list) > ${maxListBytes} THEN '${anyOfThem}' ELSE list END)
  FROM (SELECT json_agg(DISTINCT ${column})::text AS list FROM ${rows}) AS all_rows WHERE list IS NOT NULL`;
/** A condition that is always true: rows that nobody reads would not be made, and their message not sent. */
const heard = "(SELECT count(*) FROM told) >= 0";

/** The statements by name; `{jobs}`, `{events}` and `{tools}` stand for the tables, `{channel}` for the channel, and `$1` is the time of a test, or NULL. */
const texts = {
  insert: `WITH ${clock}, given AS (
      SELECT * FROM unnest($2::text[], $3::float8[], $4::text[], $5::integer[], $6::float8[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[]) WITH ORDINALITY AS x(id, seconds, token, max_attempts,
        ttl, tool, owner, key, digest, traceparent, tracestate, baggage, caller, talk, input, worker, n)),
    added AS (INSERT INTO {jobs} (phase, due, attempt, token, started, id, max_attempts, ttl, tool, owner, idempotency_key,
      idempotency_digest, traceparent, tracestate, baggage, caller, talk, input, worker)
    SELECT CASE WHEN seconds IS NULL THEN 0 ELSE 2 END, ${now} + coalesce((seconds * 1000)::bigint, 0),
      CASE WHEN seconds IS NULL THEN 0 ELSE 1 END, token, CASE WHEN seconds IS NULL THEN NULL ELSE ${now} END,
      id, max_attempts, ttl, tool, owner, key, digest, traceparent, tracestate, baggage, caller, talk, input, worker
    FROM given ORDER BY n ON CONFLICT DO NOTHING RETURNING id, phase, tool),
    told AS MATERIALIZED (${tell("ready", "tool", "added WHERE phase = 0")})
    SELECT id FROM added WHERE ${heard}`,
  known: `WITH ${clock}, given AS (
      SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS x(id, key, owner, n))
    SELECT given.n::integer AS n, found.* FROM given CROSS JOIN LATERAL (
      SELECT true AS by_key, j.token, {record} FROM {jobs} j
        WHERE j.idempotency_key = given.key AND j.owner IS NOT DISTINCT FROM given.owner
      UNION ALL SELECT false, j.token, {record} FROM {jobs} j WHERE j.id = given.id) AS found`,
  dropExpiredOf: `WITH ${clock}, gone AS (
      DELETE FROM {jobs} j WHERE j.seq = ANY ($2::bigint[]) AND ${isExpired} RETURNING j.seq)
    DELETE FROM {events} USING gone WHERE job = gone.seq`,
  get: `WITH ${clock} SELECT {record} FROM {jobs} j WHERE j.id = ANY ($2::text[]) AND NOT ${isExpired}`,
  /** The reasons why writes under leases had no effect. */
  refusals: `WITH ${clock} SELECT j.id, j.phase, j.outcome, CASE j.outcome WHEN 'cancelled' THEN j.content END AS content
    FROM {jobs} j WHERE j.id = ANY ($2::text[]) AND NOT ${isExpired}`,

  waitingTools: `WITH RECURSIVE ${clock}, tools AS (
      (SELECT tool FROM {jobs} WHERE phase = 0 ORDER BY tool LIMIT 1)
      UNION ALL SELECT (SELECT j.tool FROM {jobs} j WHERE j.phase = 0 AND j.tool > tools.tool ORDER BY j.tool LIMIT 1)
        FROM tools WHERE tools.tool IS NOT NULL)
    SELECT tool FROM tools WHERE tool IS NOT NULL
    UNION SELECT j.tool FROM {jobs} j WHERE j.phase > 0 AND j.phase = 1 AND j.due <= ${now}`,
  claimOldest: `WITH ${clock}, delayed AS (
      SELECT j.seq FROM {jobs} j WHERE j.phase > 0 AND j.phase = 1 AND j.due <= ${now} AND j.tool = ANY ($2::text[])
        AND ${isClaimable} ORDER BY j.seq LIMIT $3 FOR UPDATE SKIP LOCKED),
    waiting AS (SELECT oldest.seq FROM unnest($2::text[]) AS wanted(tool) CROSS JOIN LATERAL (
      SELECT j.seq FROM {jobs} j WHERE j.phase = 0 AND j.tool = wanted.tool AND ${isClaimable} ORDER BY j.seq LIMIT $3
      FOR UPDATE SKIP LOCKED) AS oldest),
    picked AS (SELECT seq, $4::float8 AS seconds, ($6::text[])[(row_number() OVER (ORDER BY seq))::integer] AS worker
      FROM (SELECT seq FROM delayed UNION ALL SELECT seq FROM waiting) AS either ORDER BY seq LIMIT $3)
    UPDATE {jobs} j ${take} FROM picked WHERE j.seq = picked.seq
    RETURNING ${claimed}, j.token, coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0)`,
  claimNamed: `WITH ${clock}, picked AS (
      SELECT * FROM unnest($2::text[], $3::float8[], $4::text[]) AS x(id, seconds, worker))
    UPDATE {jobs} j ${take} FROM picked
    WHERE j.id = picked.id AND (j.phase = 0 OR (j.phase = 1 AND j.due <= ${now}))
    RETURNING ${claimed}, j.token, coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0)`,

  renew: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::float8[]) AS x(id, attempt, token, seconds))
    UPDATE {jobs} j SET due = ${now} + (given.seconds * 1000)::bigint FROM given WHERE ${isHeld} RETURNING j.id`,
  release: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::float8[]) AS x(id, attempt, token, delay)),
    back AS (UPDATE {jobs} j SET phase = CASE WHEN given.delay > 0 THEN 1 ELSE 0 END, attempt = j.attempt - 1, token = NULL, started = NULL, ${remember("released")},
      due = ${now} + (given.delay * 1000)::bigint
      FROM given WHERE ${isHeld} RETURNING j.id, j.tool, j.phase),
    told AS MATERIALIZED (${tell("ready", "tool", "back WHERE phase = 0")})
    SELECT id FROM back WHERE ${heard}`,
  settle: `WITH ${clock}, given AS (
      SELECT * FROM ${leases}, $5::text[], $6::text[], $7::bytea[]) AS x(id, attempt, token, outcome, type, content)),
    done AS (UPDATE {jobs} j ${end("j.ttl")}, outcome = given.outcome, content_type = given.type,
      content = given.content FROM given WHERE ${isHeld} RETURNING j.id, j.tool),
    told AS MATERIALIZED (${tell("ended", "id", "done")})
    SELECT id, tool FROM done WHERE ${heard}`,
  cancel: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::bytea[]) AS x(id, content)),
    done AS (UPDATE {jobs} j ${end("j.ttl")}, outcome = 'cancelled', content_type = NULL, content = given.content
      FROM given WHERE j.id = given.id AND j.phase < 3 RETURNING j.id, j.tool),
    told AS MATERIALIZED (${tell("ended", "id", "done")})
    SELECT id, tool FROM done WHERE ${heard}`,
  /** Holds the job while its events are added, so that none comes after its end. */
  progress: `WITH given AS (SELECT * FROM unnest($1::text[], $2::integer[], $3::text[]) AS x(id, attempt, token)),
    held AS MATERIALIZED (SELECT j.seq, j.id,
      (SELECT min(sequence) FROM {events} WHERE job = j.seq) AS first,
      coalesce((SELECT max(sequence) FROM {events} WHERE job = j.seq), 0) AS last
      FROM {jobs} j JOIN given ON ${isHeld} ORDER BY j.seq
      FOR NO KEY UPDATE OF j),
    said AS (SELECT * FROM unnest($4::text[], $5::integer[], $6::text[]) AS x(id, sequence, body)),
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
  /** Lines are only added, so that replicas need not know of one another's. */
  answer: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::text[]) AS x(id, line)),
    taken AS (UPDATE {jobs} j SET replies = coalesce(j.replies || E'\\n', '') || given.line FROM given
      WHERE j.id = given.id AND j.phase < 3
        AND coalesce(octet_length(j.replies), 0) + octet_length(given.line) < ${maxTalkBytes} RETURNING j.id),
    told AS MATERIALIZED (${tell("answers", "id", "taken")})
    SELECT id FROM taken WHERE ${heard}`,

  /** Ends attempts of dead workers at once; the last one buries the job. */
  lose: `WITH ${clock}, given AS (SELECT * FROM ${leases}, $5::text[]) AS x(id, attempt, token, detail)),
    lost AS (SELECT j.seq, given.detail, j.attempt >= j.max_attempts AS is_last FROM {jobs} j JOIN given ON ${isHeld}
      FOR UPDATE OF j),
    over AS (UPDATE {jobs} j SET phase = CASE WHEN is_last THEN 4 ELSE 0 END, token = NULL, detail = lost.detail, started = CASE WHEN is_last THEN j.started END,
      ${remember("lost", "split_part(lost.detail, chr(10), 1)")},
      due = ${now} + CASE WHEN is_last THEN ($6::float8 * 1000)::bigint ELSE 0 END,
      ended = CASE WHEN is_last THEN ${now} END,
      expires = CASE WHEN is_last THEN ${now} + (j.ttl * 1000)::bigint END,
      outcome = CASE WHEN is_last THEN 'error' END, content = CASE WHEN is_last THEN $7::bytea END
      FROM lost WHERE j.seq = lost.seq RETURNING j.id, j.tool, j.phase),
    told AS MATERIALIZED (${tell("ended", "id", "over WHERE phase = 4")} UNION ALL
      ${tell("ready", "tool", "over WHERE phase = 0")})
    SELECT id FROM over WHERE ${heard}`,
  extend: `WITH ${clock}, held AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 2 AND j.due < ${now} + $2::bigint FOR UPDATE SKIP LOCKED)
    UPDATE {jobs} j SET due = ${now} + $2::bigint FROM held WHERE j.seq = held.seq`,
  retry: `WITH ${clock}, lost AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 2 AND j.due <= ${now} AND j.attempt < j.max_attempts
      ORDER BY j.due, j.seq LIMIT $2 FOR UPDATE SKIP LOCKED),
    back AS (UPDATE {jobs} j SET phase = 0, due = ${now}, token = NULL, started = NULL, ${remember("lost")}
      FROM lost WHERE j.seq = lost.seq RETURNING j.tool),
    told AS MATERIALIZED (${tell("ready", "tool", "back")})
    SELECT 1 FROM back WHERE ${heard}`,
  bury: `WITH ${clock}, lost AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 2 AND j.due <= ${now} AND j.attempt >= j.max_attempts
      ORDER BY j.due, j.seq LIMIT $2 FOR UPDATE SKIP LOCKED),
    over AS (UPDATE {jobs} j SET phase = 4, due = ${now} + ($3::float8 * 1000)::bigint, ended = ${now},
      expires = ${now} + (j.ttl * 1000)::bigint, token = NULL, outcome = 'error', content = $4::bytea,
      ${remember("lost")}
      FROM lost WHERE j.seq = lost.seq RETURNING j.id),
    told AS MATERIALIZED (${tell("ended", "id", "over")})
    SELECT 1 FROM over WHERE ${heard}`,
  undelay: `WITH ${clock}, ready AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = 1 AND j.due <= ${now} ORDER BY j.due, j.seq LIMIT $2 FOR UPDATE SKIP LOCKED),
    back AS (UPDATE {jobs} j SET phase = 0 FROM ready WHERE j.seq = ready.seq RETURNING j.tool),
    told AS MATERIALIZED (${tell("ready", "tool", "back")})
    SELECT 1 FROM back WHERE ${heard}`,
  dropExpired: `WITH ${clock}, old AS MATERIALIZED (SELECT j.seq FROM {jobs} j
      WHERE j.phase > 0 AND j.phase = $3::smallint AND j.due <= ${now} ORDER BY j.due, j.seq LIMIT $2
      FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM {jobs} j USING old WHERE j.seq = old.seq RETURNING j.seq),
    silent AS (DELETE FROM {events} USING gone WHERE job = gone.seq)
    SELECT 1 FROM gone`,
  dropOldest: `WITH old AS MATERIALIZED (SELECT j.seq FROM {jobs} j WHERE j.phase > 0 AND j.phase = $2::smallint
      ORDER BY j.due, j.seq LIMIT $1 FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM {jobs} j USING old WHERE j.seq = old.seq RETURNING j.seq),
    silent AS (DELETE FROM {events} USING gone WHERE job = gone.seq)
    SELECT 1 FROM gone`,
  /** Passes what is kept, from the newest on, without locking it. */
  dropSurplus: `WITH old AS MATERIALIZED (SELECT j.seq FROM {jobs} j WHERE j.phase > 0 AND j.phase = 3
      AND (j.tool = ANY ($1::text[])) = $2::boolean ORDER BY j.due DESC, j.seq DESC OFFSET $3 LIMIT $4),
    free AS MATERIALIZED (SELECT j.seq FROM {jobs} j JOIN old ON j.seq = old.seq FOR UPDATE OF j SKIP LOCKED),
    gone AS (DELETE FROM {jobs} j USING free WHERE j.seq = free.seq RETURNING j.seq),
    silent AS (DELETE FROM {events} USING gone WHERE job = gone.seq)
    SELECT 1 FROM gone`,
  countFinishedByTool: "SELECT tool, count(*)::float8 AS count FROM {jobs} WHERE phase > 0 AND phase = 3 GROUP BY tool",
  count: "SELECT count(*)::float8 AS count FROM {jobs} WHERE phase > 0 AND phase = $1::smallint",

  /** `at` is when the one became claimable that waits longest, among the first of each tool: jobs that came back are older. */
  counts: `WITH ${clock}, counted AS (
      SELECT j.tool, count(*) AS waiting, 0 AS running, 0 AS dead, (SELECT min(due) FROM (SELECT f.due
        FROM {jobs} f WHERE f.phase = 0 AND f.tool = j.tool ORDER BY f.seq LIMIT 100) AS first) AS at FROM {jobs} j WHERE j.phase = 0 GROUP BY j.tool
      UNION ALL SELECT j.tool, count(*) FILTER (WHERE j.phase = 1), count(*) FILTER (WHERE j.phase = 2),
        count(*) FILTER (WHERE j.phase = 4), min(j.due) FILTER (WHERE j.phase = 1) FROM {jobs} j
        WHERE j.phase > 0 AND (j.phase IN (2, 4) OR (j.phase = 1 AND j.due <= ${now})) GROUP BY j.tool)
    SELECT tool, waiting::float8, running::float8, dead::float8, at::float8, ${now}::float8 AS now FROM counted`,

  /** Returns the tools that are the service's now; those of another one become so when it was last seen long ago. */
  ownTools: `WITH ${clock} INSERT INTO {tools} AS known (tool, service, seen)
      SELECT tool, $3, ${now} FROM unnest($2::text[]) AS given(tool) ORDER BY tool
    ON CONFLICT (tool) DO UPDATE SET service = excluded.service, seen = excluded.seen
      WHERE known.service = excluded.service OR known.seen < excluded.seen - $4::bigint
    RETURNING tool`,
  ownerOf: "SELECT tool, service FROM {tools} WHERE tool = ANY ($1::text[]) ORDER BY tool LIMIT 1",
  seeTools: `WITH ${clock} UPDATE {tools} SET seen = ${now}
    WHERE tool = ANY ($2::text[]) AND service = $3 AND seen < ${now} - $4::bigint`,

  send: "SELECT pg_notify($1, $2)",
  list: `SELECT ${listed} FROM {jobs} j WHERE j.seq < $1 ORDER BY j.seq DESC LIMIT $2`,
  listOwn: `SELECT ${listed} FROM {jobs} j WHERE j.seq < $1 AND j.owner IS NOT DISTINCT FROM $2 ORDER BY j.seq DESC LIMIT $3`,
  listed: `SELECT ${listed} FROM {jobs} j WHERE j.id = $1`,
  attempts: `SELECT j.phase, j.attempt, j.started::float8, j.ended::float8, j.outcome, j.worker, j.history::text AS history
    FROM {jobs} j WHERE j.id = $1`,
  deadLetters: `SELECT j.id, j.tool, j.owner, j.attempt, j.ended::float8, j.detail, j.content FROM {jobs} j
    WHERE j.phase > 0 AND j.phase = 4 ORDER BY j.due DESC, j.seq DESC LIMIT $1`,
  redrive: `WITH ${clock}, back AS (UPDATE {jobs} SET phase = 0, due = ${now}, attempt = 0, started = NULL, ended = NULL, expires = NULL,
      outcome = NULL, content = NULL WHERE id = $2 AND phase = 4 RETURNING seq, tool),
    silent AS (DELETE FROM {events} USING back WHERE job = back.seq),
    told AS MATERIALIZED (${tell("ready", "tool", "back")})
    SELECT 1 FROM back WHERE ${heard}`,
} as const;

/** The columns of a record with its events. */
const record = `j.seq::float8 AS seq, j.id, j.phase, j.due::float8 AS due, j.expires::float8 AS expires, j.attempt, j.tool,
  j.owner, j.idempotency_digest, j.traceparent, j.outcome, j.content_type, j.content, j.talk, j.replies, ${isExpired} AS is_expired,
  ARRAY(SELECT e.sequence FROM {events} e WHERE e.job = j.seq ORDER BY e.sequence) AS sequences,
  ARRAY(SELECT e.body FROM {events} e WHERE e.job = j.seq ORDER BY e.sequence) AS bodies`;

/** The statements of a store. */
export type Statements = { readonly [name in keyof typeof texts]: Statement };

/** The statements for a schema. Each names its tables in full: a pooler may give every transaction another connection. */
export function statementsOf(schema: string): Statements {
  const name = quoteName(schema);
  const statements = Object.entries(texts).map(([key, text]) => {
    const full = text
      .replaceAll("{record}", record)
      .replaceAll("{jobs}", `${name}.jobs`)
      .replaceAll("{events}", `${name}.events`)
      .replaceAll("{tools}", `${name}.tools`)
      .replaceAll("{channel}", channelOf(schema));
    // Connections of a pooler are shared by schemas, and the name of a statement must be short.
    return [key, { name: `tenon_${key}_${hashOf(full)}`, text: full }] as const;
  });
  return Object.fromEntries(statements) as Statements;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
