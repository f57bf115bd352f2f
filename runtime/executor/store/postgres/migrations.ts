import { headStartTables } from "./head-start-tables.ts";
import { planFunctions } from "./plan-functions.ts";

/**
 * One row per job, with the columns of the SQLite store. Each job is in exactly one of two indexes: claimable jobs by
 * tool, all others by `due`, which is the end of the delay, of the lease or of the time to live. For a claimable job,
 * `due` is the time at which it became claimable.
 */
const version1 = `
CREATE TABLE {schema}.jobs (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  phase smallint NOT NULL,
  due bigint NOT NULL,
  expires bigint,
  started bigint,
  ended bigint,
  attempt integer NOT NULL,
  max_attempts integer NOT NULL,
  ttl double precision NOT NULL,
  token text,
  tool text NOT NULL,
  owner text,
  idempotency_key text,
  idempotency_digest text,
  detail text,
  traceparent text,
  tracestate text,
  input text,
  outcome text,
  content_type text,
  content bytea,
  caller text
) WITH (fillfactor = 70);
CREATE INDEX jobs_claimable ON {schema}.jobs (tool, seq) WHERE phase = 0;
CREATE INDEX jobs_due ON {schema}.jobs (phase, due, seq) WHERE phase > 0;
CREATE UNIQUE INDEX jobs_idempotency ON {schema}.jobs (idempotency_key, owner) NULLS NOT DISTINCT
  WHERE idempotency_key IS NOT NULL;
CREATE TABLE {schema}.events (
  job bigint NOT NULL,
  sequence integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (job, sequence)
);`;

const version2 = "ALTER TABLE {schema}.jobs ADD COLUMN baggage text;";

/**
 * Adds the worker of each job and its earlier attempts; the questions of a job, with the answers that any replica
 * received; and the service of each tool, with the time when it was last seen.
 */
const version3 = `ALTER TABLE {schema}.jobs ADD COLUMN worker text, ADD COLUMN history jsonb,
  ADD COLUMN talk text, ADD COLUMN replies text;
CREATE TABLE {schema}.tools (
  tool text PRIMARY KEY,
  service text NOT NULL,
  seen bigint NOT NULL
);`;

/**
 * Tables of stored steps and messages. `kept` marks jobs that have any. `mail` has the names of all messages to a job,
 * one per line. A statement that parks a job reads this column, since only the job's own row is as recent as its lock.
 * A trigger deletes steps and messages with their job, even if a replica of an earlier version deletes the job.
 */
const version4 = `ALTER TABLE {schema}.jobs ADD COLUMN kept boolean, ADD COLUMN waits text,
  ADD COLUMN mail text, ADD COLUMN mailed integer, ADD COLUMN mail_bytes bigint;
CREATE TABLE {schema}.steps (
  job bigint NOT NULL,
  key text NOT NULL,
  state smallint NOT NULL,
  attempt integer NOT NULL,
  tries integer NOT NULL,
  fingerprint text NOT NULL,
  value text,
  error text,
  due bigint,
  started bigint NOT NULL,
  ended bigint,
  PRIMARY KEY (job, key)
) WITH (fillfactor = 70);
CREATE TABLE {schema}.messages (
  job bigint NOT NULL,
  sequence integer NOT NULL,
  name text NOT NULL,
  body text NOT NULL,
  once text,
  sender text,
  sent bigint NOT NULL,
  PRIMARY KEY (job, sequence)
);
CREATE UNIQUE INDEX messages_once ON {schema}.messages (job, once) WHERE once IS NOT NULL;
CREATE FUNCTION {schema}.drop_kept() RETURNS trigger LANGUAGE plpgsql AS $tenon$
BEGIN
  DELETE FROM {schema}.steps WHERE job = OLD.seq;
  DELETE FROM {schema}.messages WHERE job = OLD.seq;
  RETURN NULL;
END $tenon$;
CREATE TRIGGER jobs_kept AFTER DELETE ON {schema}.jobs FOR EACH ROW WHEN (OLD.kept) EXECUTE FUNCTION {schema}.drop_kept();`;

/**
 * Schedules of the services, each with its next firing. `owes` is a job that a firing has recorded and that is not
 * submitted yet.
 */
const version5 = `CREATE TABLE {schema}.schedules (
  tool text NOT NULL,
  number integer NOT NULL,
  service text NOT NULL,
  times text NOT NULL,
  definition text NOT NULL,
  next bigint,
  last bigint,
  last_job text,
  owes text,
  paused boolean NOT NULL,
  PRIMARY KEY (tool, number)
);`;

/**
 * Limits. Jobs with the same `limit_key` share one limit. A job that exceeds the limit is `held` (-1), so no worker can
 * claim it. `line` is the job's position in the queue, if that is not the order of submission; `cap` is the maximum
 * number of the key's jobs at a time. A key has a row as long as a job waits for it.
 *
 * `let_in` first locks the rows of the keys, in a fixed order. It then counts running jobs in a new snapshot: while it
 * has the lock, their number cannot grow. A transaction that ends a job checks for waiting jobs after that change. So
 * if a job ends while another begins to wait, one of the two transactions sees the other's change.
 */
const version6 = `ALTER TABLE {schema}.jobs ADD COLUMN limit_key text, ADD COLUMN line bigint, ADD COLUMN cap integer;
DROP INDEX {schema}.jobs_claimable;
CREATE INDEX jobs_claimable ON {schema}.jobs (tool, (coalesce(line, seq))) WHERE phase = 0;
CREATE INDEX jobs_held ON {schema}.jobs (limit_key, (coalesce(line, seq))) WHERE phase = -1;
CREATE INDEX jobs_placed ON {schema}.jobs (limit_key) WHERE limit_key IS NOT NULL AND phase < 3;
CREATE TABLE {schema}.limit_keys (
  limit_key text PRIMARY KEY,
  tool text NOT NULL,
  cap integer NOT NULL
) WITH (fillfactor = 50);
CREATE FUNCTION {schema}.let_in(keys text[], own text[], seconds float8[], tokens text[], workers text[], at bigint)
  RETURNS TABLE (id text, tool text, phase smallint) LANGUAGE plpgsql AS $tenon$
#variable_conflict use_column
DECLARE locked text[];
BEGIN
  WITH held AS (INSERT INTO {schema}.limit_keys AS known (limit_key, tool, cap)
    SELECT given.key, last.tool, last.cap FROM (SELECT DISTINCT unnest(keys) AS key) AS given CROSS JOIN LATERAL (
      SELECT j.tool, j.cap FROM {schema}.jobs j WHERE j.limit_key = given.key AND j.phase = -1
      ORDER BY coalesce(j.line, j.seq) DESC LIMIT 1) AS last
    ORDER BY given.key
    ON CONFLICT (limit_key) DO UPDATE SET cap = excluded.cap RETURNING limit_key)
  SELECT array_agg(limit_key) INTO locked FROM held;
  IF locked IS NULL THEN RETURN; END IF;
  RETURN QUERY WITH room AS MATERIALIZED (
      SELECT k.limit_key, k.cap - (SELECT count(*) FROM (SELECT 1 FROM {schema}.jobs p
        WHERE p.limit_key = k.limit_key AND p.phase IN (0, 2) AND p.phase < 3 LIMIT k.cap) AS placed) AS free
      FROM {schema}.limit_keys k WHERE k.limit_key = ANY (locked)),
    next AS MATERIALIZED (SELECT n.seq FROM room CROSS JOIN LATERAL (SELECT j.seq FROM {schema}.jobs j
        WHERE j.limit_key = room.limit_key AND j.phase = -1 ORDER BY coalesce(j.line, j.seq), j.seq LIMIT greatest(room.free, 0)
        FOR UPDATE SKIP LOCKED) AS n),
    mine AS MATERIALIZED (SELECT * FROM unnest(own, seconds, tokens, workers) AS x(id, seconds, token, worker)),
    come AS MATERIALIZED (SELECT next.seq, mine.seconds, mine.token, mine.worker FROM next JOIN {schema}.jobs j ON j.seq = next.seq
      LEFT JOIN mine ON mine.id = j.id)
    UPDATE {schema}.jobs j SET phase = CASE WHEN come.seconds IS NULL THEN 0 ELSE 2 END,
      due = at + coalesce((come.seconds * 1000)::bigint, 0), attempt = j.attempt + CASE WHEN come.seconds IS NULL THEN 0 ELSE 1 END,
      token = come.token, worker = come.worker, started = CASE WHEN come.seconds IS NOT NULL THEN at END,
      line = nextval({sequence})
    FROM come WHERE j.seq = come.seq RETURNING j.id, j.tool, j.phase;
  DELETE FROM {schema}.limit_keys k WHERE k.limit_key = ANY (locked)
    AND NOT EXISTS (SELECT 1 FROM {schema}.jobs j WHERE j.limit_key = k.limit_key AND j.phase = -1);
END $tenon$;`;

/**
 * Rates. `pace` and `burst` of a job describe its token bucket; `wakes` is the time before which the job does not
 * start. The state of a bucket is one number, the time at which it is full (`free_at`); each start moves that time on.
 * A key has a row until its bucket is full, and must be checked at the time `due`. A row without an id says how long a
 * key has to wait until then.
 */
const version7 = `ALTER TABLE {schema}.jobs ADD COLUMN pace double precision, ADD COLUMN burst integer, ADD COLUMN wakes bigint;
ALTER TABLE {schema}.limit_keys ALTER COLUMN cap DROP NOT NULL, ADD COLUMN pace double precision, ADD COLUMN burst integer,
  ADD COLUMN free_at double precision, ADD COLUMN due bigint;
CREATE INDEX jobs_wakes ON {schema}.jobs (limit_key, wakes) WHERE phase = -1 AND wakes IS NOT NULL;
CREATE INDEX limit_keys_due ON {schema}.limit_keys (due) WHERE due IS NOT NULL;
DROP FUNCTION {schema}.let_in(text[], text[], float8[], text[], text[], bigint);
CREATE FUNCTION {schema}.let_in(keys text[], own text[], seconds float8[], tokens text[], workers text[], at bigint)
  RETURNS TABLE (id text, tool text, phase smallint, wait float8) LANGUAGE plpgsql AS $tenon$
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
      SELECT k.limit_key, k.pace, b.free_at, least(CASE WHEN k.cap IS NOT NULL THEN k.cap - (SELECT count(*) FROM (SELECT 1
          FROM {schema}.jobs p WHERE p.limit_key = k.limit_key AND p.phase IN (0, 2) AND p.phase < 3 LIMIT k.cap) AS placed) END,
        floor((at + (k.burst - 1) * k.pace - b.free_at) / k.pace + 0.000001) + 1, 2147483647) AS free
      FROM {schema}.limit_keys k
        CROSS JOIN LATERAL (SELECT least(greatest(k.free_at, at), at + k.burst * k.pace) AS free_at) AS b
      WHERE k.limit_key = ANY (locked)),
    next AS MATERIALIZED (SELECT n.seq, room.limit_key FROM room CROSS JOIN LATERAL (SELECT j.seq FROM {schema}.jobs j
        WHERE j.limit_key = room.limit_key AND j.phase = -1 AND (j.wakes IS NULL OR j.wakes <= at)
        ORDER BY coalesce(j.line, j.seq), j.seq LIMIT greatest(room.free, 0)::bigint FOR UPDATE SKIP LOCKED) AS n),
    mine AS MATERIALIZED (SELECT * FROM unnest(own, seconds, tokens, workers) AS x(id, seconds, token, worker)),
    come AS MATERIALIZED (SELECT next.seq, mine.seconds, mine.token, mine.worker FROM next JOIN {schema}.jobs j ON j.seq = next.seq
      LEFT JOIN mine ON mine.id = j.id),
    spent AS (UPDATE {schema}.limit_keys k SET free_at = room.free_at + (SELECT count(*) FROM next WHERE next.limit_key = k.limit_key) * room.pace
      FROM room WHERE room.limit_key = k.limit_key AND room.pace IS NOT NULL)
    UPDATE {schema}.jobs j SET phase = CASE WHEN come.seconds IS NULL THEN 0 ELSE 2 END,
      due = at + coalesce((come.seconds * 1000)::bigint, 0), attempt = j.attempt + CASE WHEN come.seconds IS NULL THEN 0 ELSE 1 END,
      token = come.token, worker = come.worker, started = CASE WHEN come.seconds IS NOT NULL THEN at END,
      line = nextval({sequence})
    FROM come WHERE j.seq = come.seq RETURNING j.id, j.tool, j.phase, NULL::float8;
  DELETE FROM {schema}.limit_keys k WHERE k.limit_key = ANY (locked) AND (k.free_at IS NULL OR k.free_at <= at)
    AND NOT EXISTS (SELECT 1 FROM {schema}.jobs j WHERE j.limit_key = k.limit_key AND j.phase = -1);
  RETURN QUERY UPDATE {schema}.limit_keys k SET due = CASE WHEN h.held THEN h.starts ELSE ceil(k.free_at) END
    FROM (SELECT x.limit_key, EXISTS (SELECT 1 FROM {schema}.jobs j WHERE j.limit_key = x.limit_key AND j.phase = -1) AS held,
        least(CASE WHEN x.free_at - (x.burst - 1) * x.pace > at THEN ceil(x.free_at - (x.burst - 1) * x.pace) END,
          (SELECT min(j.wakes) FROM {schema}.jobs j
            WHERE j.limit_key = x.limit_key AND j.phase = -1 AND j.wakes IS NOT NULL AND j.wakes > at))::bigint AS starts
      FROM {schema}.limit_keys x WHERE x.limit_key = ANY (locked) AND (x.free_at IS NOT NULL OR x.due IS NOT NULL)) AS h
    WHERE k.limit_key = h.limit_key
    RETURNING NULL::text, NULL::text, NULL::smallint, CASE WHEN h.held THEN (h.starts - at)::float8 END;
END $tenon$;`;

/** Debounced jobs that have not started: at most one for each key and caller, so that further requests join it. */
const version8 = `CREATE UNIQUE INDEX jobs_debounced ON {schema}.jobs (limit_key, owner) NULLS NOT DISTINCT
  WHERE phase = -1 AND wakes IS NOT NULL AND attempt = 0 AND history IS NULL AND kept IS NULL;`;

/** Migrations from each version to the next one. A change of the tables adds a migration. */
export const migrations: readonly string[] = [
  version1,
  version2,
  version3,
  version4,
  version5,
  version6,
  version7,
  version8,
  headStartTables,
  planFunctions,
];
