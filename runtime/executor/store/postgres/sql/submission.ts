import { clock, heard, isExpired, now, record, tell } from "./fragments.ts";

/** Takes jobs in. */
export const submissionTexts = {
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
      SELECT true AS by_key, j.token, ${record} FROM {jobs} j
        WHERE j.idempotency_key = given.key AND j.owner IS NOT DISTINCT FROM given.owner
      UNION ALL SELECT false, j.token, ${record} FROM {jobs} j WHERE j.id = given.id) AS found`,
  dropExpiredOf: `WITH ${clock}, gone AS (
      DELETE FROM {jobs} j WHERE j.seq = ANY ($2::bigint[]) AND ${isExpired} RETURNING j.seq)
    DELETE FROM {events} USING gone WHERE job = gone.seq`,
} as const;
