import type * as pgModule from "pg";
import { StoreError } from "../../store-error.ts";

export type Pg = Pick<typeof pgModule, "Pool" | "Client">;
export type Pool = pgModule.Pool;
export type Client = pgModule.Client;

/** Loads the package `pg`, an optional peer, when the first store of this kind is opened. */
export async function loadPg(): Promise<Pg> {
  try {
    return await import("pg");
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw new StoreError(
      `TENON_STORE names a PostgreSQL server, which needs the package "pg", version 8. Run npm install pg, and build again. (${reason})`,
      { cause: error },
    );
  }
}
