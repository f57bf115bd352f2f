import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { loadSqlite } from "../../../runtime/executor/store/sqlite/load-sqlite.ts";
import { explainSqlite, toToolError } from "../../../runtime/executor/store/sqlite/sqlite-error.ts";
import { StoreError } from "../../../runtime/executor/store/store-error.ts";
import {
  createTables,
  forgetOldKeys,
  withTables,
  type Conditions,
  type PlatformTables,
  type Query,
  type SqlValue,
} from "./platform-tables.ts";

const named = (text: string): string => withTables(text, (table) => table);
const version1 = named(createTables({ place: "INTEGER PRIMARY KEY", size: "INTEGER" }));
const migrations: readonly string[] = [version1];

const conditions: Conditions = {
  like: (column) => String.raw`${column} LIKE ? ESCAPE '\'`,
  contains: (column) => `instr(lower(${column}), lower(?)) > 0`,
  hasPath: (column) => `json_type(${column}, ?) IS NOT NULL`,
  path: (path) => path,
};

/**
 * The platform's own tables, in `platform.db`. Open it after the job store of the same folder, whose lock keeps other
 * processes out of the folder. Rejects with a `StoreError` when the file cannot be used.
 */
export async function openSqliteTables(folder: string): Promise<PlatformTables> {
  const { DatabaseSync } = loadSqlite();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "platform.db");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    prepare(database, folder);
    const tables = new SqliteTables(database, file);
    await forgetOldKeys(tables.query);
    return tables;
  } catch (error) {
    database?.close();
    throw error instanceof StoreError ? error : new StoreError(explainSqlite(error, file), { cause: error });
  }
}

class SqliteTables implements PlatformTables {
  readonly isShared = false;
  readonly conditions = conditions;
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();
  /** Resolves when the open transaction ends; undefined if there is none. */
  #transaction: Promise<void> | undefined;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
  }

  readonly query: Query = async (text, ...values) => {
    while (this.#transaction !== undefined) await this.#transaction;
    return this.#run(text, values);
  };

  async exclusively<T>(work: (query: Query) => Promise<T>): Promise<T> {
    while (this.#transaction !== undefined) await this.#transaction;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#transaction = promise;
    try {
      this.#run("BEGIN IMMEDIATE", []);
      const answer = await work(async (text, ...values) => this.#run(text, values));
      this.#run("COMMIT", []);
      return answer;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    } finally {
      this.#transaction = undefined;
      resolve();
    }
  }

  async close(): Promise<void> {
    while (this.#transaction !== undefined) await this.#transaction;
    this.#database.close();
  }

  #run<Row>(text: string, values: readonly SqlValue[]): readonly Row[] {
    try {
      let statement = this.#statements.get(text);
      if (statement === undefined) this.#statements.set(text, (statement = this.#database.prepare(named(text))));
      return statement.all(...values) as unknown as readonly Row[];
    } catch (error) {
      throw toToolError(error, this.#file);
    }
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
}
