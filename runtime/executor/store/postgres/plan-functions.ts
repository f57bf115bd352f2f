/**
 * SQL functions for limits. PostgreSQL may reuse a plan that it made while the tables were small, so the statements are
 * written so that every plan uses the indexes: with `EXISTS`, the planner could join the keys with all waiting jobs,
 * but not with a subquery that has a `LIMIT`. `ahead` counts the jobs before a position in the queue of a key, up to
 * `most`.
 */
export const planFunctions = `CREATE OR REPLACE FUNCTION {schema}.let_in(keys text[], own text[], seconds float8[], tokens text[], workers text[], at bigint)
  RETURNS TABLE (id text, tool text, phase smallint, wait float8) LANGUAGE plpgsql SET enable_seqscan = off AS $tenon$
#variable_conflict use_column
DECLARE locked text[];
BEGIN
  WITH held AS (INSERT INTO {schema}.limit_keys AS known (limit_key, tool, cap, pace, burst, due)
    SELECT given.key, last.tool, last.cap, last.pace, last.burst, last.wakes FROM (SELECT DISTINCT unnest(keys) AS key) AS given
      CROSS JOIN LATERAL (SELECT j.tool, j.cap, j.pace, j.burst, j.wakes FROM {schema}.jobs j
      WHERE j.limit_key = given.key AND j.phase = -1 ORDER BY coalesce(j.line, j.seq) DESC LIMIT 1) AS last
    ORDER BY given.key
    ON CONFLICT (limit_key) DO UPDATE SET cap = excluded.cap, pace = excluded.pace, burst = excluded.burst,
      due = coalesce(excluded.due, known.due) RETURNING limit_key)
  SELECT array_agg(limit_key) INTO locked FROM held;
  IF locked IS NULL THEN RETURN; END IF;
  RETURN QUERY WITH room AS MATERIALIZED (
      SELECT k.limit_key, k.pace, b.free_at, (SELECT 1 FROM {schema}.jobs e
          WHERE e.limit_key = k.limit_key AND e.phase = -1 AND e.early IS NOT NULL LIMIT 1) IS NOT NULL AS has_early, least(CASE WHEN k.cap IS NOT NULL THEN k.cap - (SELECT count(*) FROM (SELECT 1
          FROM {schema}.jobs p WHERE p.limit_key = k.limit_key AND p.phase IN (0, 2) AND p.phase < 3 LIMIT k.cap) AS placed) END,
        floor((at + (k.burst - 1) * k.pace - b.free_at) / k.pace + 0.000001) + 1, 2147483647) AS free
      FROM {schema}.limit_keys k
        CROSS JOIN LATERAL (SELECT least(greatest(k.free_at, at), at + k.burst * k.pace) AS free_at) AS b
      WHERE k.limit_key = ANY (locked)),
    next AS MATERIALIZED (SELECT n.seq, room.limit_key FROM room CROSS JOIN LATERAL (SELECT j.seq FROM {schema}.jobs j
        WHERE j.limit_key = room.limit_key AND j.phase = -1 AND (j.wakes IS NULL OR j.wakes <= at)
        ORDER BY coalesce(j.line, j.seq), j.seq LIMIT greatest(room.free, 0)::bigint FOR UPDATE SKIP LOCKED) AS n
      WHERE NOT room.has_early
      UNION ALL SELECT n.seq, room.limit_key FROM room CROSS JOIN LATERAL (SELECT x.seq FROM (
          SELECT * FROM (SELECT j.seq, coalesce(j.early, j.due) AS turn FROM {schema}.jobs j
            WHERE j.limit_key = room.limit_key AND j.phase = -1 AND (j.wakes IS NULL OR j.wakes <= at)
            ORDER BY coalesce(j.line, j.seq), j.seq LIMIT greatest(room.free, 0)::bigint FOR UPDATE SKIP LOCKED) AS oldest
          UNION SELECT * FROM (SELECT j.seq, j.early AS turn FROM {schema}.jobs j
            WHERE j.limit_key = room.limit_key AND j.phase = -1 AND j.early IS NOT NULL AND (j.wakes IS NULL OR j.wakes <= at)
            ORDER BY j.early, j.seq LIMIT greatest(room.free, 0)::bigint FOR UPDATE SKIP LOCKED) AS earliest) AS x
        ORDER BY x.turn, x.seq LIMIT greatest(room.free, 0)::bigint) AS n WHERE room.has_early),
    mine AS MATERIALIZED (SELECT * FROM unnest(own, seconds, tokens, workers) AS x(id, seconds, token, worker)),
    come AS MATERIALIZED (SELECT next.seq, mine.seconds, mine.token, mine.worker FROM next JOIN {schema}.jobs j ON j.seq = next.seq
      LEFT JOIN mine ON mine.id = j.id),
    spent AS (UPDATE {schema}.limit_keys k SET free_at = room.free_at + (SELECT count(*) FROM next WHERE next.limit_key = k.limit_key) * room.pace
      FROM room WHERE room.limit_key = k.limit_key AND room.pace IS NOT NULL)
    UPDATE {schema}.jobs j SET phase = CASE WHEN come.seconds IS NULL THEN 0 ELSE 2 END,
      due = at + coalesce((come.seconds * 1000)::bigint, 0), attempt = j.attempt + CASE WHEN come.seconds IS NULL THEN 0 ELSE 1 END,
      token = come.token, worker = come.worker, started = CASE WHEN come.seconds IS NOT NULL THEN at END,
      line = nextval({sequence}), early = at - j.head_start
    FROM come WHERE j.seq = come.seq RETURNING j.id, j.tool, j.phase, NULL::float8;
  DELETE FROM {schema}.limit_keys k WHERE k.limit_key = ANY (locked) AND (k.free_at IS NULL OR k.free_at <= at)
    AND (SELECT 1 FROM {schema}.jobs j WHERE j.limit_key = k.limit_key AND j.phase = -1 LIMIT 1) IS NULL;
  RETURN QUERY UPDATE {schema}.limit_keys k SET due = CASE WHEN h.held THEN h.starts ELSE ceil(k.free_at) END
    FROM (SELECT x.limit_key, (SELECT 1 FROM {schema}.jobs j WHERE j.limit_key = x.limit_key AND j.phase = -1 LIMIT 1) IS NOT NULL AS held,
        least(CASE WHEN x.free_at - (x.burst - 1) * x.pace > at THEN ceil(x.free_at - (x.burst - 1) * x.pace) END,
          (SELECT min(j.wakes) FROM {schema}.jobs j
            WHERE j.limit_key = x.limit_key AND j.phase = -1 AND j.wakes IS NOT NULL AND j.wakes > at))::bigint AS starts
      FROM {schema}.limit_keys x WHERE x.limit_key = ANY (locked) AND (x.free_at IS NOT NULL OR x.due IS NOT NULL)) AS h
    WHERE k.limit_key = h.limit_key
    RETURNING NULL::text, NULL::text, NULL::smallint, CASE WHEN h.held THEN (h.starts - at)::float8 END;
END $tenon$;
CREATE OR REPLACE FUNCTION {schema}.ahead(of text, place bigint, most integer) RETURNS integer LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off AS $tenon$
BEGIN
  RETURN (SELECT count(*) FROM (SELECT 1 FROM {schema}.jobs j
    WHERE j.limit_key = of AND j.phase = -1 AND coalesce(j.line, j.seq) < place LIMIT most) AS counted);
END $tenon$;
CREATE OR REPLACE FUNCTION {schema}.ahead(of text, turn bigint, own bigint, most integer) RETURNS integer LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off AS $tenon$
BEGIN
  RETURN (SELECT count(*) FROM (SELECT 1 FROM {schema}.jobs j
    WHERE j.limit_key = of AND j.phase = -1 AND j.early IS NOT NULL AND (j.early, j.seq) < (turn, own)
    UNION ALL SELECT 1 FROM {schema}.jobs j
    WHERE j.limit_key = of AND j.phase = -1 AND j.early IS NULL AND (j.due, j.seq) < (turn, own) LIMIT most) AS counted);
END $tenon$;`;
