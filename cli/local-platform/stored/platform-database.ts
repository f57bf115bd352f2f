import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { loadSqlite } from "../../../runtime/executor/store/sqlite/load-sqlite.ts";
import { explainSqlite } from "../../../runtime/executor/store/sqlite/sqlite-error.ts";
import { StoreError } from "../../../runtime/executor/store/store-error.ts";

/** All data but the jobs, which have a file of their own. Times are RFC 3339. */
const version1 = `
CREATE TABLE services (
  key TEXT PRIMARY KEY,
  urn TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  url TEXT
) WITHOUT ROWID;
CREATE TABLE aspects (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  entity TEXT NOT NULL,
  schema TEXT NOT NULL,
  content TEXT NOT NULL,
  policy TEXT,
  asserter TEXT,
  replaces TEXT,
  valid_from TEXT NOT NULL,
  valid_to TEXT
);
CREATE INDEX aspects_entity ON aspects (entity, schema);
CREATE INDEX aspects_schema ON aspects (schema);
CREATE TABLE artifacts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  size INTEGER,
  sha256 TEXT,
  status TEXT NOT NULL,
  policy TEXT,
  collection TEXT,
  job TEXT,
  created TEXT NOT NULL
);
CREATE TABLE once (
  key TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  at TEXT NOT NULL
) WITHOUT ROWID;
`;
const migrations: readonly string[] = [version1];

/** Days that an idempotency key of an artifact or aspect is kept. */
const onceDays = 2;

/** Runs `work` in one transaction. A nested call is part of the outer transaction. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec("BEGIN IMMEDIATE");
  try {
    const answer = work();
    database.exec("COMMIT");
    return answer;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/**
 * The platform's own tables, in `platform.db`. Open it after the job store of the same folder, whose lock keeps other
 * processes out of the folder. Throws a `StoreError` when the file cannot be used.
 */
export function openPlatformDatabase(folder: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "platform.db");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    prepare(database, folder);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StoreError ? error : new StoreError(explainSqlite(error, file), { cause: error });
  }
}

function prepare(database: DatabaseSync, folder: string): void {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF");
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (version > migrations.length) {
    throw new StoreError(`${folder} was written by a later version of tenon. Update tenon, or give another --folder.`);
  }
  if (version < migrations.length) {
    database.exec("BEGIN IMMEDIATE");
    for (const statements of migrations.slice(version)) database.exec(statements);
    database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  }
  const before = new Date(Date.now() - onceDays * 86_400_000).toISOString();
  database.prepare("DELETE FROM once WHERE at < ?").run(before);
}
