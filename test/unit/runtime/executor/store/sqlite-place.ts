import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RemembersAttempts } from "../../../../../runtime/executor/store/attempts.ts";
import type { DeadLetters } from "../../../../../runtime/executor/store/dead-letters.ts";
import type { CountsJobs } from "../../../../../runtime/executor/store/job-counts.ts";
import type { ListsJobs } from "../../../../../runtime/executor/store/listed-jobs.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import { openSqliteStore } from "../../../../../runtime/executor/store/sqlite/sqlite.ts";
import type { SqliteStoreOptions } from "../../../../../runtime/executor/store/sqlite/store-options.ts";

/** A new folder; in memory where the system has such, since thousands of commits would wait for the disk. */
export function newFolder(): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tenon-store-"));
}

export interface SqlitePlace {
  readonly folder: string;
  readonly file: string;
  open(options?: SqliteStoreOptions): JobStore & DeadLetters & ListsJobs & RemembersAttempts & CountsJobs;
  remove(): void;
}

/** A place for a store file, and its stores. */
export function sqlitePlace(): SqlitePlace {
  const folder = newFolder();
  const file = join(folder, "jobs.db");
  return {
    folder,
    file,
    open: (options) => openSqliteStore(file, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
