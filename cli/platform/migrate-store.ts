import { readAddress } from "../../runtime/executor/store/postgres/address.ts";
import { migratePostgres } from "../../runtime/executor/store/postgres/postgres.ts";
import { migrationSql } from "../../runtime/executor/store/postgres/schema.ts";
import { StoreError } from "../../runtime/executor/store/store-error.ts";
import { CommandError } from "../base/usage.ts";

/** Creates the tables of a job store, or brings them up to date. Returns the text for the user. */
export function migrateStore(url: string): Promise<string> {
  return explained(async () => {
    const { schema, shown } = readAddress(url);
    await migratePostgres(url);
    return `The schema ${schema} of ${shown} is up to date.`;
  });
}

/** The SQL that creates the tables in an empty schema. */
export function printMigration(url: string): Promise<string> {
  return explained(() => `BEGIN;\n${migrationSql(readAddress(url).schema, 0)}\nCOMMIT;`);
}

async function explained(run: () => string | Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof StoreError ? new CommandError(error.message) : error;
  }
}
