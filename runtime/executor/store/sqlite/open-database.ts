import { accessSync, closeSync, constants, openSync, realpathSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { dirname, resolve } from "node:path";
import { StoreError } from "../store-error.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { describeOwner, removeOwner, writeOwner } from "./owner-file.ts";
import { migrate, readVersion } from "./schema.ts";
import { explainSqlite, isBusy } from "./sqlite-error.ts";
import { isSystemError, systemReason } from "../../../base/system-reason.ts";
import { makeFolder } from "./store-folder.ts";

/** Milliseconds to wait for the previous owner of the file to end, for example when a service restarts. */
const handover = 1000;
/**
 * Maximum size of a file that is checked as a whole, which takes about 1 ms per MB. In a larger file, damage is found
 * when the damaged part is read.
 */
const checkedBytes = 16 * 1024 * 1024;

export interface OpenDatabase {
  readonly database: DatabaseSync;
  readonly file: string;
  close(): void;
}

/**
 * Opens or creates a store file for this process alone: durable commits, one owner, tables up to date. Throws a
 * `StoreError` that explains the problem.
 */
export function openDatabase(path: string, maxBytes: number | undefined): OpenDatabase {
  const file = prepareFile(path);
  const database = connect(file);
  try {
    bringUpToDate(database, file);
    if (pageBytes(database) <= checkedBytes) check(database, file);
    if (maxBytes !== undefined) limit(database, maxBytes);
  } catch (error) {
    database.close();
    throw error instanceof StoreError ? error : new StoreError(explainSqlite(error, file), { cause: error });
  }
  writeOwner(file);
  return {
    database,
    file,
    close: () => {
      // The owner file is removed before the lock is released: after that, the store may belong to another process.
      removeOwner(file);
      database.close();
    },
  };
}

/** Resolves the path of the file, and creates the file when it is missing. */
function prepareFile(path: string): string {
  const file = resolve(path);
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) {
      throw new StoreError(`${file} is a directory. Give a file, for example ${resolve(file, "jobs.db")}.`);
    }
    // An existing file is not opened and closed here: if this process holds SQLite's lock, closing the file would
    // release it.
    if (stats !== undefined) {
      if (!stats.isFile()) throw new StoreError(`${file} is not a regular file. Give another one.`);
      // SQLite creates its log beside the file, so the folder must be writable too.
      accessSync(file, constants.R_OK | constants.W_OK);
      const real = realpathSync(file);
      accessSync(dirname(real), constants.W_OK);
      return real;
    }
    makeFolder(dirname(file));
    // Only the owner may read the file, since it contains requests and results.
    closeSync(openSync(file, "wx", 0o600));
    return realpathSync(file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (isSystemError(error) && error.code === "EEXIST" && error.path === file) return madeMeanwhile(file);
    throw new StoreError(`The store file ${file} cannot be used: ${systemReason(error)}.`, { cause: error });
  }
}

/**
 * Returns the path of a file that was missing and cannot be created: another process has created it meanwhile, or the
 * path is a link.
 */
function madeMeanwhile(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    throw new StoreError(`${file} is a link to a file that does not exist. Make that file, or give another one.`, {
      cause: error,
    });
  }
}

function connect(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const until = performance.now() + handover;
  for (;;) {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file);
      own(database, file);
      return database;
    } catch (error) {
      database?.close();
      if (error instanceof StoreError) throw error;
      if (!isBusy(error)) throw new StoreError(explainSqlite(error, file), { cause: error });
      if (performance.now() > until) throw new StoreError(describeOwner(file), { cause: error });
      // The length of the pause is random, so that two processes that start together do not block each other again.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 + Math.random() * 40);
    }
  }
}

/** Exclusive locking keeps all other processes out until this one closes the file or dies. */
function own(database: DatabaseSync, file: string): void {
  database.exec("PRAGMA busy_timeout = 100; PRAGMA locking_mode = EXCLUSIVE");
  // The version is read before anything is written, since SQLite stores the mode of the log in the file itself.
  readVersion(database, file);
  const answer = database.prepare("PRAGMA journal_mode = WAL").get();
  if (answer?.["journal_mode"] !== "wal") {
    throw new StoreError("The store's file system cannot hold a write-ahead log. Give a file on a local disk.");
  }
  database.exec(
    "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA trusted_schema = OFF; " +
      "PRAGMA cache_size = -16384; BEGIN EXCLUSIVE; COMMIT",
  );
}

function bringUpToDate(database: DatabaseSync, file: string): void {
  const version = readVersion(database, file);
  try {
    migrate(database, version);
  } catch (error) {
    if (version === 0) throw error;
    throw new StoreError(
      `${explainSqlite(error, file)} Its tables are of an earlier version of tenon (format ${version}) and could not be ` +
        "brought up to date; the file is as it was. Let that version finish its jobs, or give another file.",
      { cause: error },
    );
  }
}

function check(database: DatabaseSync, file: string): void {
  const answer = database.prepare("PRAGMA quick_check(1)").get();
  if (answer?.["quick_check"] === "ok") return;
  throw new StoreError(`${file} is damaged. Restore a backup, or move it away to start with an empty one.`, {
    cause: answer,
  });
}

function limit(database: DatabaseSync, maxBytes: number): void {
  const page = Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / page))}`);
}

function pageBytes(database: DatabaseSync): number {
  const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
  return pages * Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
}
