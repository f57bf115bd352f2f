import { StoreError } from "../store-error.ts";
import type { Database } from "./connection/database.ts";
import { notOurs, toStoreError } from "./connection/postgres-error.ts";

/** PostgreSQL 15 is the oldest version with unique indexes in which NULL equals NULL. */
const oldestServer = 15;

/** Quotes the name of a schema for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

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
 * Adds the worker of each job and its earlier attempts; its questions, with the answers that arrived at any replica;
 * the service of each tool, and the time at which it was last seen.
 */
const version3 = `ALTER TABLE {schema}.jobs ADD COLUMN worker text, ADD COLUMN history jsonb,
  ADD COLUMN talk text, ADD COLUMN replies text;
CREATE TABLE {schema}.tools (
  tool text PRIMARY KEY,
  service text NOT NULL,
  seen bigint NOT NULL
);`;

/**
 * Adds tables of stored steps and messages. `kept` marks the jobs that have any. `mail` has the names of all messages
 * to a job, one a line: parking checks it, since only the job's own row is as new as its lock. The trigger drops steps
 * and messages with their job, also when a replica of an earlier version drops the job.
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
 * Adds the schedules of services, each with its next firing. `owes` is a job that a firing has recorded and that is not
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
 * Adds limits. Jobs with a `limit_key` share the limit of the key; a job above it is `held` (-1), so it cannot be
 * claimed. `line` is the position in the queue where that is not the order of submission, `cap` the number of jobs at a
 * time. `let_in` locks the rows of keys in key order, and counts after that, with a new snapshot: the count cannot grow
 * meanwhile. A key has a row while a job waits. A process that ends a job counts after its commit, so that of two
 * concurrent ones the later sees the other's.
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

/** Migrations from each version to the next one. A change of the tables adds one. */
const migrations: readonly string[] = [version1, version2, version3, version4, version5, version6];

const metaTable = `CREATE SCHEMA IF NOT EXISTS {schema};
CREATE TABLE IF NOT EXISTS {schema}.meta (version integer NOT NULL);`;

/** The SQL that migrates tables from a version to the current one, in one transaction. */
export function migrationSql(schema: string, from: number): string {
  const name = quoteName(schema);
  const steps = migrations.slice(from).join("\n");
  const sql = `${from === 0 ? metaTable : ""}${steps}
DELETE FROM {schema}.meta;
INSERT INTO {schema}.meta (version) VALUES (${migrations.length});`;
  return sql.replaceAll("{sequence}", literal(`${name}.jobs_seq_seq`)).replaceAll("{schema}", name);
}

/**
 * Creates the tables, or brings them up to date. One store at a time does so: the others wait for it. Throws a
 * `StoreError` for an old server, a newer schema, and a schema of another program.
 */
export async function migrate(database: Database): Promise<void> {
  const { schema } = database.address;
  try {
    await checkServer(database);
    if ((await readVersion(database)) === migrations.length) return await checkTables(database);
    // The lock is released with the transaction, so it works behind a pooler too. A process that waited for it has
    // nothing left to do.
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended(${literal(`tenon ${schema}`)}, 0));`;
    await database.once({ name: "", text: `BEGIN; ${lock} ${guarded(schema)} COMMIT;` }, undefined);
    await readVersion(database);
  } catch (error) {
    throw toStoreError(error, database.address);
  }
}

async function checkServer(database: Database): Promise<void> {
  const [row] = await database.once<{ readonly version: number }>(
    { name: "", text: "SELECT current_setting('server_version_num')::integer AS version" },
    undefined,
  );
  const major = Math.trunc((row?.version ?? 0) / 10_000);
  if (major >= oldestServer) return;
  throw new StoreError(
    `TENON_STORE: ${database.address.shown} is PostgreSQL ${major}. Jobs need version ${oldestServer} or later: update the server.`,
  );
}

const columns = {
  jobs:
    "seq, id, phase, due, expires, started, ended, attempt, max_attempts, ttl, token, tool, owner, idempotency_key, " +
    "idempotency_digest, detail, traceparent, tracestate, input, outcome, content_type, content, caller, baggage, talk, replies, kept, waits, mail, mailed, mail_bytes, limit_key, line, cap",
  events: "job, sequence, body",
  limit_keys: "limit_key, tool, cap",
  tools: "tool, service, seen",
  steps: "job, key, state, attempt, tries, fingerprint, value, error, due, started, ended",
  messages: "job, sequence, name, body, once, sender, sent",
  schedules: "tool, number, service, times, definition, next, last, last_job, owes, paused",
};
const indexes =
  "jobs_pkey jobs_id_key jobs_claimable jobs_due jobs_idempotency jobs_held jobs_placed limit_keys_pkey events_pkey tools_pkey steps_pkey messages_pkey messages_once schedules_pkey".split(
    " ",
  );

/**
 * Checks, before a job needs the tables, that nobody has changed them. The server's error names a missing table or
 * column.
 */
async function checkTables(database: Database): Promise<void> {
  const { schema, shown } = database.address;
  const name = quoteName(schema);
  for (const [table, list] of Object.entries(columns))
    await database.once({ name: "", text: `SELECT ${list} FROM ${name}.${table} LIMIT 0` }, undefined);
  const wanted = indexes.map((index) => `(${literal(index)}, to_regclass(${literal(`${name}.${index}`)}) IS NULL)`);
  const text = `SELECT index FROM (VALUES ${wanted.join(", ")}) AS x(index, is_gone) WHERE is_gone`;
  const [gone] = await database.once<{ readonly index: string }>({ name: "", text }, undefined);
  if (gone !== undefined)
    throw new StoreError(`TENON_STORE: ${notOurs(shown, schema, `index ${gone.index} is missing`)}`);
}

/** The version of the tables, 0 when there are none. */
async function readVersion(database: Database): Promise<number> {
  const { schema, shown } = database.address;
  const name = quoteName(schema);
  const text = `SELECT to_regclass(${literal(`${name}.meta`)}) IS NOT NULL AS has_meta,
    to_regclass(${literal(`${name}.jobs`)}) IS NOT NULL AS has_jobs`;
  const [found] = await database.once<{ has_meta: boolean; has_jobs: boolean }>({ name: "", text }, undefined);
  if (found?.has_meta !== true) {
    if (found?.has_jobs !== true) return 0;
    throw new StoreError(
      `TENON_STORE: the schema ${schema} of ${shown} has a table jobs of another program, and was left alone. Name another ` +
        "schema with ?schema=NAME.",
    );
  }
  const [row] = await database.once<{ version: number }>(
    { name: "", text: `SELECT version FROM ${name}.meta` },
    undefined,
  );
  if (row === undefined && found.has_jobs) {
    throw new StoreError(
      `TENON_STORE: ${notOurs(shown, schema, "its table meta has no row, so that nobody knows their version")}`,
    );
  }
  const version = row?.version ?? 0;
  if (version > migrations.length) {
    throw new StoreError(
      `TENON_STORE: the schema ${schema} of ${shown} was written by a later version of tenon: its format is ${version}, this ` +
        `one knows up to ${migrations.length}. Update tenon, or name another schema with ?schema=NAME.`,
    );
  }
  return version;
}

/** Migrations that first check the version, which another process may have changed before this one got the lock. */
function guarded(schema: string): string {
  const name = quoteName(schema);
  const cases = migrations.map((_, from) => `IF found = ${from} THEN ${migrationSql(schema, from)} END IF;`);
  const body = `DECLARE found integer := 0; BEGIN
    IF to_regclass(${literal(`${name}.meta`)}) IS NOT NULL THEN
      EXECUTE ${literal(`SELECT coalesce(max(version), 0) FROM ${name}.meta`)} INTO found;
    END IF;
    ${cases.join("\n")}
  END`;
  return `DO ${literal(body)};`;
}

/** Quotes a text for SQL. */
export function literal(text: string): string {
  // Backslashes need no escape: PostgreSQL's standard strings take them literally.
  return `'${text.replaceAll("'", "''")}'`;
}
