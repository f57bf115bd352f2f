import type { JobStore, TellsTrouble } from "../job-store.ts";
import type { DeadLetters } from "../dead-letters.ts";
import type { RemembersAttempts } from "../attempts.ts";
import type { ExtendsLeases } from "../extends-leases.ts";
import type { CountsJobs } from "../job-counts.ts";
import type { ListsJobs } from "../listed-jobs.ts";
import type { PassesNotes } from "../passes-notes.ts";
import { readAddress } from "./connection/address.ts";
import { connect, type Database } from "./connection/database.ts";
import { migrate } from "./schema.ts";
import { PostgresStore } from "./postgres-store.ts";
import type { PostgresStoreOptions } from "./store-options.ts";
import { postgresSchedules } from "./schedules.ts";
import { openWhenUp } from "../open-when-up.ts";
import { isConnectionError } from "./connection/postgres-error.ts";

/**
 * Jobs in a schema of a PostgreSQL database, which any number of processes share. An acknowledged write is as durable
 * as the server's commits. Calls in one turn of the event loop share statements. Throws a `StoreError` when the
 * database cannot be used; later failures are `ToolError`s.
 */
export async function openPostgresStore(
  spec: string,
  options: PostgresStoreOptions = {},
): Promise<
  JobStore & DeadLetters & ListsJobs & RemembersAttempts & CountsJobs & PassesNotes & ExtendsLeases & TellsTrouble
> {
  const listen = options.listenUrl === undefined ? undefined : readAddress(options.listenUrl, "TENON_STORE_LISTEN_URL");
  const open = async () => {
    const database = await openTables(spec);
    const store = new PostgresStore(database, options, listen);
    try {
      await store.begin();
      return Object.assign(store, { schedules: postgresSchedules(database, options.now) });
    } catch (error) {
      await store.close();
      throw error;
    }
  };
  return openWhenUp({ patience: options.patience ?? 0, open, isDown: isConnectionError });
}

/** Creates the tables, or brings them up to date, and disconnects. Throws a `StoreError` when it cannot. */
export async function migratePostgres(spec: string): Promise<void> {
  const database = await openTables(spec);
  await database.close();
}

async function openTables(spec: string): Promise<Database> {
  const database = await connect(readAddress(spec));
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
