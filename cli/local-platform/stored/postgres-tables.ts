import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "../../../runtime/executor/store/postgres/connection/address.ts";
import { Connector } from "../../../runtime/executor/store/postgres/connection/connection.ts";
import type { Pool } from "../../../runtime/executor/store/postgres/connection/load-pg.ts";
import {
  isCollision,
  isConnectionError,
  toStoreError,
  toToolError,
} from "../../../runtime/executor/store/postgres/connection/postgres-error.ts";
import type { Negotiation } from "../../../runtime/executor/store/postgres/connection/tls.ts";
import { quoteName } from "../../../runtime/executor/store/postgres/schema.ts";
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

/**
 * Types of numbers: a position is an integer, since the driver returns larger types as text; a size is a double, which
 * is exact up to 8 PiB.
 */
const version1 = createTables({
  place: "integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  size: "double precision",
});
const migrations: readonly string[] = [version1];

const connections = 4;
/** Milliseconds until a connection or an answer counts as lost. */
const connectPatience = 5000;
const answerPatience = 10_000;
/** Milliseconds for which a read is retried while the server cannot be reached. */
const retryFor = 10_000;

const conditions: Conditions = {
  like: (column) => String.raw`${column} ILIKE ? ESCAPE '\'`,
  contains: (column) => `strpos(lower(${column}), lower(?)) > 0`,
  // The type jsonb cannot store NUL, which JSON text may contain.
  hasPath: (column) =>
    String.raw`CASE WHEN strpos(${column}, '\u0000') > 0 THEN false ` +
    `ELSE jsonb_path_exists(${column}::jsonb, ?::text::jsonpath, '{}', true) END`,
  path: (path) => {
    const parts = path.slice(1).replaceAll(/\.(?:"([^"]*)"|(\w+))/g, (_, quoted?: string, plain?: string) => {
      return `.${JSON.stringify(quoted ?? plain)}`;
    });
    return `strict $${parts}`;
  },
};

/** The SQL that creates the platform's tables, or migrates them, in one transaction. */
export function platformMigrationSql(schema: string, from = 0): string {
  const name = quoteName(schema);
  const meta = `CREATE SCHEMA IF NOT EXISTS ${name};
CREATE TABLE IF NOT EXISTS {meta} (version integer NOT NULL);`;
  const steps = migrations.slice(from).join("\n");
  const text = `${from === 0 ? meta : ""}${steps}
DELETE FROM {meta};
INSERT INTO {meta} (version) VALUES (${migrations.length});`;
  return withTables(text, (table) => `${name}.platform_${table}`);
}

/** Opens the platform's tables, which all its replicas share. Rejects with a `StoreError` when they cannot be used. */
export async function openPostgresTables(negotiation: Negotiation): Promise<PlatformTables> {
  const { address } = negotiation;
  let tables: PostgresTables | undefined;
  try {
    const connector = new Connector(negotiation, { name: "tenon platform", connectPatience, answerPatience });
    tables = new PostgresTables((await connector.poolMaker(connections))(), address);
    await tables.migrate();
    await forgetOldKeys(tables.query);
    return tables;
  } catch (error) {
    await tables?.close();
    throw toStoreError(causeOf(error), address);
  }
}

class PostgresTables implements PlatformTables {
  readonly isShared = true;
  readonly conditions = conditions;
  readonly #pool: Pool;
  readonly #address: Address;

  constructor(pool: Pool, address: Address) {
    this.#pool = pool;
    this.#address = address;
  }

  readonly query: Query = async (text, ...values) => {
    const mayRepeat = text.startsWith("SELECT");
    const until = performance.now() + retryFor;
    for (;;) {
      try {
        return await this.#run(this.#pool, text, values);
      } catch (error) {
        const isLate = performance.now() > until;
        if (isLate || !(isCollision(error) || (mayRepeat && isConnectionError(error)))) throw this.#toError(error);
        await sleep(200);
      }
    }
  };

  async exclusively<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#transaction(async (client) => {
      // A transaction lock, which is released with its transaction, works behind a connection pooler too.
      const lock = `tenon platform ${this.#address.schema}`;
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
      return work((text, ...values) => this.#run(client, text, values));
    });
  }

  /** Creates the tables, or migrates them; one replica at a time does so. */
  async migrate(): Promise<void> {
    if ((await this.#version()) === migrations.length) return;
    await this.#transaction(async (client) => {
      const lock = `tenon platform ${this.#address.schema}`;
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
      // If another replica has migrated while this one waited for the lock, nothing is left to do.
      const version = await this.#version();
      if (version < migrations.length) await client.query(platformMigrationSql(this.#address.schema, version));
    });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** The version of the tables, 0 when there are none. */
  async #version(): Promise<number> {
    const { schema, shown } = this.#address;
    const meta = `${quoteName(schema)}.platform_meta`;
    const { rows: found } = await this.#pool.query("SELECT to_regclass($1) IS NOT NULL AS there", [meta]);
    if ((found[0] as { readonly there: boolean } | undefined)?.there !== true) return 0;
    const { rows } = await this.#pool.query(`SELECT version FROM ${meta}`);
    const { version } = rows[0] as { readonly version: number };
    if (version <= migrations.length) return version;
    throw new StoreError(
      `TENON_STORE: the schema ${schema} of ${shown} was written by a later version of tenon. Update tenon, or name ` +
        "another schema with ?schema=NAME.",
    );
  }

  async #transaction<T>(work: (client: Pick<Pool, "query">) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#toError(error);
    });
    let broken: Error | undefined;
    try {
      await client.query("BEGIN");
      const answer = await work(client);
      await client.query("COMMIT");
      return answer;
    } catch (error) {
      await client.query("ROLLBACK").catch((failed: Error) => (broken = failed));
      throw this.#toError(error);
    } finally {
      client.release(broken);
    }
  }

  async #run<Row>(on: Pick<Pool, "query">, text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    let place = 0;
    const name = quoteName(this.#address.schema);
    const numbered = withTables(text, (table) => `${name}.platform_${table}`).replaceAll("?", () => `$${++place}`);
    // NUL is removed, since PostgreSQL's texts cannot contain it.
    const plain = values.map((value) => (typeof value === "string" ? value.replaceAll("\0", "\u{FFFD}") : value));
    const { rows } = await on.query(numbered, plain);
    return rows as Row[];
  }

  #toError(error: unknown): unknown {
    if (error instanceof StoreError) return error;
    return toToolError(error, this.#address.shown, this.#address.schema);
  }
}

/** Returns the driver's error, which is the cause of the error that callers get. */
function causeOf(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? (cause.cause ?? cause) : error;
}
