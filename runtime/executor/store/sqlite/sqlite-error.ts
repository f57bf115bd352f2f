import { ToolError } from "../../../base/errors.ts";

/** Result codes of SQLite that mean something to whoever runs the service. */
const busy = 5;
const toExplain: ReadonlyMap<number, string> = new Map([
  [busy, "is locked by another process"],
  [6, "is locked by another process"],
  [8, "cannot be written: it, or its folder, is read-only"],
  [10, "cannot be read or written: its disk reports an error"],
  [11, "is damaged. Restore a backup, or move it away to start with an empty one"],
  [13, "cannot grow: the disk, or the store's limit, is full"],
  [14, "cannot be opened: its folder is missing or may not be used"],
  [26, "is no SQLite database. Give another file, or move it away"],
]);
const full = 13;
const tooBig = 18;

/** SQLite's own code of an error; undefined when it is none of SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** Whether another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === busy;
}

/** What is wrong with the file, for whoever runs the service. */
export function explainSqlite(error: unknown, file: string): string {
  const reason = toExplain.get(sqliteCode(error) ?? -1);
  return reason === undefined ? `${file} cannot be used: ${String(error).replace(/\.?$/, ".")}` : `${file} ${reason}.`;
}

/** An error of an open store as callers may see it; what it means for the file is its cause, for the log. */
export function toToolError(error: unknown, file: string): ToolError {
  if (error instanceof ToolError) return error;
  const cause = new Error(`The job store ${explainSqlite(error, file)}`, { cause: error });
  if (sqliteCode(error) === full) {
    return new ToolError("overloaded", "The service has no room for more jobs. Try again later.", {
      retryAfter: 30,
      cause,
    });
  }
  if (sqliteCode(error) === tooBig) return new ToolError("too-large", "The job is too large to be kept.", { cause });
  return new ToolError("system", "The job store failed. The service's log has the reason.", { cause });
}
