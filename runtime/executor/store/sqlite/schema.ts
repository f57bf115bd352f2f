import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../store-error.ts";

/** "tnon": marks the database files of tenon, so that tenon never writes to a database of another program. */
const applicationId = 0x746e6f6e;

/**
 * One row per job. `input` is JSON, and is stored until the job can no longer be claimed. It is the last column, so
 * that searches need not read it. `events` has no foreign key: it would make every drop of a job search for events,
 * even when no job has any. Each job is in exactly one of two indexes: claimable jobs by tool, all others by `due`,
 * which is the end of the delay, of the lease or of the time to live; for a claimable job it is the time at which it
 * became claimable. `started` is the time of the last claim, `history` the JSON of earlier attempts.
 */
const tables = `
CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  phase INTEGER NOT NULL,
  due INTEGER NOT NULL,
  expires INTEGER,
  started INTEGER,
  ended INTEGER,
  attempt INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  ttl REAL NOT NULL,
  token TEXT,
  tool TEXT NOT NULL,
  owner TEXT,
  idempotency_key TEXT,
  idempotency_digest TEXT,
  detail TEXT,
  traceparent TEXT,
  tracestate TEXT,
  input TEXT,
  outcome TEXT,
  content_type TEXT,
  content BLOB,
  caller TEXT,
  baggage TEXT,
  talk TEXT,
  replies TEXT,
  worker TEXT,
  history TEXT
);
CREATE INDEX jobs_claimable ON jobs (tool) WHERE phase = 0;
CREATE INDEX jobs_due ON jobs (phase, due) WHERE phase > 0;
CREATE INDEX jobs_idempotency ON jobs (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE TABLE events (
  job INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (job, sequence)
) WITHOUT ROWID;
`;

/**
 * Tables of stored steps and messages. `kept` marks the jobs that have any, so that nothing is searched when another
 * job ends; `waits` has the names of messages, one a line, that a parked job waits for.
 */
const keptTables = `
ALTER TABLE jobs ADD COLUMN kept INTEGER;
ALTER TABLE jobs ADD COLUMN waits TEXT;
CREATE TABLE steps (
  job INTEGER NOT NULL,
  key TEXT NOT NULL,
  state INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  value TEXT,
  error TEXT,
  due INTEGER,
  started INTEGER NOT NULL,
  ended INTEGER,
  PRIMARY KEY (job, key)
) WITHOUT ROWID;
CREATE TABLE messages (
  job INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  once TEXT,
  sender TEXT,
  sent INTEGER NOT NULL,
  PRIMARY KEY (job, sequence)
) WITHOUT ROWID;
CREATE TRIGGER jobs_kept AFTER DELETE ON jobs WHEN OLD.kept = 1 BEGIN
  DELETE FROM steps WHERE job = OLD.seq;
  DELETE FROM messages WHERE job = OLD.seq;
END;
`;

/**
 * Schedules of the service, each with its next firing. `owes` is a job that a firing has recorded and that is not
 * submitted yet.
 */
const scheduleTable = `
CREATE TABLE schedules (
  tool TEXT NOT NULL,
  number INTEGER NOT NULL,
  service TEXT NOT NULL,
  times TEXT NOT NULL,
  definition TEXT NOT NULL,
  next INTEGER,
  last INTEGER,
  last_job TEXT,
  owes TEXT,
  paused INTEGER NOT NULL,
  PRIMARY KEY (tool, number)
) WITHOUT ROWID;
`;

/**
 * Limits: jobs with the same `limit_key` share a limit. A job that exceeds the limit is `held` (-1), and is in neither
 * the index of claimable jobs nor the index by `due`. `line` is the job's position in the queue, if that is not the
 * order of submission; `cap` is the maximum number of the key's jobs at a time: the value of the job that was submitted
 * last counts.
 */
const limitTables = `
ALTER TABLE jobs ADD COLUMN limit_key TEXT;
ALTER TABLE jobs ADD COLUMN line INTEGER;
ALTER TABLE jobs ADD COLUMN cap INTEGER;
DROP INDEX jobs_claimable;
CREATE INDEX jobs_claimable ON jobs (tool, coalesce(line, seq)) WHERE phase = 0;
CREATE INDEX jobs_limited ON jobs (limit_key, phase, coalesce(line, seq)) WHERE limit_key IS NOT NULL AND phase < 3;
`;

/**
 * Rates: `pace` and `burst` of a job describe its token bucket. A key has a row in `limit_keys` until its bucket is
 * full, at `free_at`; at `due` the key is checked again. `wakes` is the time before which a job does not start.
 */
const rateTables = `
ALTER TABLE jobs ADD COLUMN pace REAL;
ALTER TABLE jobs ADD COLUMN burst INTEGER;
ALTER TABLE jobs ADD COLUMN wakes INTEGER;
CREATE TABLE limit_keys (
  limit_key TEXT PRIMARY KEY,
  free_at REAL NOT NULL,
  due INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX limit_keys_due ON limit_keys (due);
`;

/**
 * Head starts: `head_start` of a job, in milliseconds, and `early`, the time at which it joined its queue less the head
 * start. Both are null for tools without `@priority`, whose jobs are therefore not in the indexes below.
 */
const headStarts = `
ALTER TABLE jobs ADD COLUMN head_start INTEGER;
ALTER TABLE jobs ADD COLUMN early INTEGER;
CREATE INDEX jobs_early ON jobs (tool, early) WHERE phase = 0 AND early IS NOT NULL;
CREATE INDEX jobs_held_early ON jobs (limit_key, early) WHERE phase = -1 AND early IS NOT NULL;
`;

/** Tables and columns for limits, rates and head starts. */
const limits = `${limitTables}${rateTables}${headStarts}`;

/** Version 1 stored the whole submission as one JSON text, without `started`, and events with a foreign key. */
const fromVersion1 = `
DROP INDEX jobs_claimable;
DROP INDEX jobs_due;
DROP INDEX jobs_idempotency;
ALTER TABLE events RENAME TO old_events;
ALTER TABLE jobs RENAME TO old_jobs;
${tables}
INSERT INTO jobs (seq, id, phase, due, expires, ended, attempt, max_attempts, ttl, token, tool, owner, idempotency_key,
    idempotency_digest, detail, traceparent, tracestate, input, outcome, content_type, content)
  SELECT seq, id, phase, due, expires, ended, attempt, max_attempts, ttl, token, tool, owner, idempotency_key,
    idempotency_digest, detail, submission ->> '$.traceparent', submission ->> '$.tracestate', submission -> '$.input',
    outcome, content_type, content
  FROM old_jobs;
INSERT INTO events SELECT job, sequence, body FROM old_events;
DROP TABLE old_events;
DROP TABLE old_jobs;
${keptTables}${scheduleTable}${limits}
`;

/**
 * Version 4 stored no questions and no earlier attempts. A new column is added after the others, and statements name
 * their columns.
 */
const fromVersion4 = `${["talk", "replies", "worker", "history"]
  .map((column) => `ALTER TABLE jobs ADD COLUMN ${column} TEXT`)
  .join("; ")}; ${keptTables}${scheduleTable}${limits}`;

/** Version 3 stored no baggage. */
const fromVersion3 = `ALTER TABLE jobs ADD COLUMN baggage TEXT; ${fromVersion4}`;

/** Version 2 stored no caller. */
const fromVersion2 = `ALTER TABLE jobs ADD COLUMN caller TEXT; ${fromVersion3}`;

/** Migrations from each version to the current one. A change of the tables must change all of these and add one. */
const migrations: readonly string[] = [
  `${tables}${keptTables}${scheduleTable}${limits}`,
  fromVersion1,
  fromVersion2,
  fromVersion3,
  fromVersion4,
  `${keptTables}${scheduleTable}${limits}`,
  `${scheduleTable}${limits}`,
  limits,
  `${rateTables}${headStarts}`,
  headStarts,
];

/**
 * Reads the version of the tables, 0 for an empty file. Throws a `StoreError` for a file of another program; writes
 * nothing.
 */
export function readVersion(database: DatabaseSync, file: string): number {
  const version = pragma(database, "user_version");
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
  if (pragma(database, "application_id") !== applicationId && (tables > 0 || version !== 0)) {
    throw new StoreError(`${file} is a database of another program, and was left alone. Give another file.`);
  }
  if (version > migrations.length) {
    throw new StoreError(
      `${file} was written by a later version of tenon: its format is ${version}, this one knows up to ${migrations.length}. ` +
        "Update tenon, or give another file.",
    );
  }
  return version;
}

/** Creates or upgrades the tables in one transaction. The connection must own the file. */
export function migrate(database: DatabaseSync, version: number): void {
  if (version === migrations.length) return;
  database.exec(
    `BEGIN IMMEDIATE; ${migrations[version]}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}; COMMIT`,
  );
}

function pragma(database: DatabaseSync, name: "user_version" | "application_id"): number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return Number(row?.[name] ?? 0);
}
