import { readAddress } from "../../runtime/executor/store/postgres/connection/address.ts";
import { Negotiation } from "../../runtime/executor/store/postgres/connection/tls.ts";
import { migratePostgres } from "../../runtime/executor/store/postgres/open-postgres.ts";
import { migrationSql } from "../../runtime/executor/store/postgres/schema.ts";
import { platformStore } from "../local-platform/open-stores.ts";
import { openPostgresTables, platformMigrationSql } from "../local-platform/stored/postgres-tables.ts";
import { StoreError } from "../../runtime/executor/store/store-error.ts";
import { CommandError } from "../base/usage.ts";

/** Creates the tables of a job store, or migrates them. Returns the text for the user. */
export function migrateStore(given: string, isPlatform = false): Promise<string> {
  return explained(async () => {
    const url = isPlatform ? platformStore(given) : given;
    const negotiation = new Negotiation(readAddress(url));
    await migratePostgres(negotiation);
    if (isPlatform) await (await openPostgresTables(negotiation)).close();
    const { schema, shown } = negotiation.address;
    return `The schema ${schema} of ${shown} is up to date.`;
  });
}

/** Prints the SQL that creates the tables in an empty schema. */
export function printMigration(given: string, isPlatform = false): Promise<string> {
  return explained(() => {
    const { schema } = readAddress(isPlatform ? platformStore(given) : given);
    const platform = isPlatform ? `\n${platformMigrationSql(schema)}` : "";
    return `BEGIN;\n${migrationSql(schema, 0)}${platform}\nCOMMIT;`;
  });
}

async function explained(run: () => string | Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof StoreError ? new CommandError(error.message) : error;
  }
}
