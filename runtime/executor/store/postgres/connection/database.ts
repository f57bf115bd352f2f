import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "./address.ts";
import { Connector } from "./connection.ts";
import type { Pool } from "./load-pg.ts";
import { isCollision, isConnectionError, isSilent, losesStatements, toStoreError } from "./postgres-error.ts";

/** A statement and its name, under which the server caches the plan. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Milliseconds until its answer counts as lost; default 10 s. */
  readonly patience?: number;
}

/** Milliseconds until a connection or an answer counts as lost. */
const connectPatience = 5000;
const answerPatience = 10_000;
/** Milliseconds for which a statement is retried while the server cannot be reached, as in a restart or a failover. */
const retryFor = 10_000;
const maxPause = 1000;
/** Number of connections: two for writes, and one for reads. */
const connections = 3;

/** The connections of one store. */
export class Database {
  readonly #makePool: () => Pool;
  #pool: Pool;
  readonly #address: Address;
  /** True if statements are prepared; false behind a pooler that may run each transaction on another connection. */
  #isPrepared = true;
  #closing = false;

  constructor(makePool: () => Pool, address: Address) {
    this.#makePool = makePool;
    this.#pool = this.#open();
    this.#address = address;
  }

  get address(): Address {
    return this.#address;
  }

  /**
   * Runs a statement. It is retried while the server cannot be reached, so it must be harmless to run it twice: if only
   * the answer was lost, the statement was committed.
   */
  async query<Row>(statement: Statement, values: readonly unknown[], rowMode?: "array"): Promise<readonly Row[]> {
    // The time counts from the first failure, since a connection without an answer takes long by itself.
    let until: number | undefined;
    for (let pause = 50; ; pause = Math.min(pause * 2, maxPause)) {
      const [pool, wasPrepared] = [this.#pool, this.#isPrepared];
      try {
        return await this.once<Row>(statement, values, rowMode);
      } catch (error) {
        // Preparing may be off already: other prepared statements may have been sent when the first one was refused.
        if (losesStatements(error) && wasPrepared) this.#isPrepared = false;
        else if (!isCollision(error) && !isConnectionError(error)) throw error;
        until ??= performance.now() + retryFor;
        if (this.#closing || performance.now() + pause > until) throw error;
        // The pool is replaced: its other connections probably do not answer either, and each would take as long to
        // time out.
        if (isSilent(error) && this.#pool === pool) this.#pool = this.#open(pool);
        await sleep(pause);
      }
    }
  }

  /** Runs a statement, or several without values, without repeating it. */
  async once<Row>(
    { name, text, patience }: Statement,
    values: readonly unknown[] | undefined,
    rowMode?: "array",
  ): Promise<readonly Row[]> {
    const named = this.#isPrepared && values !== undefined ? { name } : {};
    const { rows } = await this.#pool.query({
      text,
      ...named,
      ...(patience !== undefined && { query_timeout: patience }),
      ...(values !== undefined && { values: [...values] }),
      ...(rowMode !== undefined && { rowMode }),
    });
    return rows as Row[];
  }

  /** Opens a new pool; connections of `old` are closed when their statements have ended. */
  #open(old?: Pool): Pool {
    void old?.end().catch(() => {});
    return this.#makePool();
  }

  /** Closes the connections when their statements have ended. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#pool.end();
  }
}

/** Loads the driver and connects. Throws a `StoreError` that says what is wrong with the address. */
export async function connect(address: Address): Promise<Database> {
  const connector = new Connector(address, { name: "tenon", connectPatience, answerPatience });
  try {
    return new Database(await connector.poolMaker(connections), address);
  } catch (error) {
    throw toStoreError(error, address);
  }
}
