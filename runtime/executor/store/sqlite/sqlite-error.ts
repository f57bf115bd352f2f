import { ToolError } from "../../../base/errors.ts";

/** Result codes of SQLite that the operator of the service can act on. */
const busy = 5;
const toExplain: ReadonlyMap<number, string> = new Map([
  [busy, "is locked by another process"],
  [6, "is locked by another process"],
  [8, "cannot be written: it, or its folder, is read-only"],
  [10, "cannot be read or written: its disk reports an error"],
  [11, "is damaged. Restore a backup, or move it away to start with an empty one"],
  [13, "cannot grow: the disk, or the store's limit, is full"],
  [14, "cannot be opened: its folder is missing or may not be used"],
  [26, "is not a SQLite database. Give another file, or move it away"],
]);
const full = 13;
const unwritable: ReadonlySet<number> = new Set([8, 10, full]);
const tooBig = 18;

/** SQLite's own code of an error; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** True when another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === busy;
}

/** True when the disk refused a write: it is full, read-only or broken. */
export function cannotWrite(error: unknown): boolean {
  return unwritable.has(sqliteCode(error) ?? -1);
}

/** Explains the problem of the file to the operator of the service. */
export function explainSqlite(error: unknown, file: string): string {
  const reason = toExplain.get(sqliteCode(error) ?? -1);
  return reason === undefined ? `${file} cannot be used: ${String(error).replace(/\.?$/, ".")}` : `${file} ${reason}.`;
}

/** Converts an error of an open store for callers; the explanation for the log is its cause. */
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

/** The error of every call to a store that is closed. */
export function closed(): ToolError {
  return new ToolError("draining", "The service is stopping. Try again in a moment.", { retryAfter: 1 });
}
