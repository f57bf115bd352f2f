import { StoreError } from "../store-error.ts";
import type { Database } from "./connection/database.ts";
import { migrations } from "./migrations.ts";
import { notOurs } from "./connection/explanations.ts";
import { toStoreError } from "./connection/postgres-error.ts";

/** PostgreSQL 15 is the oldest version with unique indexes in which NULL equals NULL. */
const oldestServer = 15;

/** Quotes the name of a schema for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

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

/** Milliseconds for a migration: new indexes of millions of jobs take minutes. */
const migrationPatience = 600_000;

/**
 * Creates the tables, or brings them up to date. One store at a time does so: the others wait for it. Throws a
 * `StoreError` for an old server, a newer schema, and a schema of another program.
 */
export async function migrate(database: Database): Promise<void> {
  const { schema } = database.address;
  try {
    await checkServer(database);
    if ((await readVersion(database)) === migrations.length) return await checkTables(database);
    // The lock ends with the transaction, so it works behind a pooler too. If another process migrated while this one
    // waited for the lock, nothing is left to do.
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended(${literal(`tenon ${schema}`)}, 0));`;
    const text = `BEGIN; ${lock} ${guarded(schema)} COMMIT;`;
    await database.once({ name: "", text, patience: migrationPatience }, undefined);
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
    "idempotency_digest, detail, traceparent, tracestate, input, outcome, content_type, content, caller, baggage, talk, replies, kept, waits, mail, mailed, mail_bytes, limit_key, line, cap, pace, burst, wakes, head_start, early",
  events: "job, sequence, body",
  limit_keys: "limit_key, tool, cap, pace, burst, free_at, due",
  tools: "tool, service, seen",
  steps: "job, key, state, attempt, tries, fingerprint, value, error, due, started, ended",
  messages: "job, sequence, name, body, once, sender, sent",
  schedules: "tool, number, service, times, definition, next, last, last_job, owes, paused",
};
const indexes =
  "jobs_pkey jobs_id_key jobs_claimable jobs_due jobs_idempotency jobs_held jobs_placed jobs_wakes jobs_debounced jobs_early jobs_held_early limit_keys_pkey limit_keys_due events_pkey tools_pkey steps_pkey messages_pkey messages_once schedules_pkey".split(
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

/** Reads the version of the tables, 0 when there are none. */
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

/**
 * Makes SQL that checks the version before it migrates, since another process may have migrated before this one got the
 * lock.
 */
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
