import type { LastingStore } from "../lasting-store.ts";
import type { PassesNotes } from "../passes-notes.ts";
import { readAddress } from "./connection/address.ts";
import { connect, type Database } from "./connection/database.ts";
import { migrate } from "./schema.ts";
import { PostgresStore } from "./postgres-store.ts";
import type { PostgresStoreOptions } from "./store-options.ts";
import { postgresSchedules } from "./schedules.ts";
import { openWhenUp } from "../open-when-up.ts";
import { isConnectionError } from "./connection/postgres-error.ts";
import { Negotiation } from "./connection/tls.ts";

/**
 * Jobs in a schema of a PostgreSQL database, which any number of processes share. An acknowledged write is as durable
 * as the server's commits. Calls in one turn of the event loop share statements. Throws a `StoreError` when the
 * database cannot be used; later failures are `ToolError`s.
 * @param server The address, or a negotiation that other connections to this address share
 */
export async function openPostgresStore(
  server: string | Negotiation,
  options: PostgresStoreOptions = {},
): Promise<LastingStore & PassesNotes> {
  const { listenUrl } = options;
  const listen =
    listenUrl === undefined ? undefined : new Negotiation(readAddress(listenUrl, "TENON_STORE_LISTEN_URL"));
  // One negotiation for all tries: a connection that breaks after the first one cannot make the next try begin anew.
  const negotiation = typeof server === "string" ? new Negotiation(readAddress(server)) : server;
  const open = async () => {
    const database = await openTables(negotiation);
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
export async function migratePostgres(negotiation: Negotiation): Promise<void> {
  const database = await openTables(negotiation);
  await database.close();
}

async function openTables(negotiation: Negotiation): Promise<Database> {
  const database = await connect(negotiation);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
