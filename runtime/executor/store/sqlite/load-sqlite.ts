import type * as sqliteModule from "node:sqlite";
import { StoreError } from "../store-error.ts";

type Sqlite = typeof sqliteModule;

/**
 * Loads `node:sqlite` when the first store is opened. Hides the warning of Node 22 that this module is experimental:
 * users cannot do anything about it.
 */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process;
  process.emitWarning = (...warning: readonly unknown[]): void => {
    if (!String(warning[0]).startsWith("SQLite is an experimental")) Reflect.apply(emitWarning, process, warning);
  };
  try {
    const sqlite: Sqlite | undefined = process.getBuiltinModule("node:sqlite");
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new StoreError(
    `This JavaScript runtime (${process.version}) has no node:sqlite. Use Node 22.19 or later, or TENON_STORE=memory:`,
  );
}
