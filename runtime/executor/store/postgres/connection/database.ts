import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "./address.ts";
import { Connector } from "./connection.ts";
import type { Pool } from "./load-pg.ts";
import {
  isCollision,
  isConnectionError,
  isReadOnly,
  isSilent,
  losesStatements,
  ReadOnlyPrimary,
  SilenceError,
  toStoreError,
} from "./postgres-error.ts";
import type { Negotiation } from "./tls.ts";

/** A statement and its name, under which the server caches the plan. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Milliseconds until its answer counts as lost, if it is not repeated; default 10 s. */
  readonly patience?: number;
}

/**
 * Milliseconds for one call of the store: to get a connection, to connect, to get the answer, and to repeat all that
 * while the server cannot be reached, as in a restart or a failover.
 */
export const callPatience = 10_000;
/** Milliseconds until a connection counts as lost. */
const connectPatience = 5000;
/** Milliseconds without an answer after which a statement is also run on another connection: the first may be dead. */
const silence = 5000;
const maxPause = 1000;
/** Number of connections: two for writes, and one for reads. */
const connections = 3;

/** The connections of one store. */
export class Database {
  readonly #makePool: () => Pool;
  #pool: Pool;
  /** Negotiation of its connections, which others to the same address share. */
  readonly negotiation: Negotiation;
  /** True if statements are prepared; false behind a pooler that may run each transaction on another connection. */
  #isPrepared = true;
  #closing = false;

  constructor(makePool: () => Pool, negotiation: Negotiation) {
    this.#makePool = makePool;
    this.#pool = this.#open();
    this.negotiation = negotiation;
  }

  get address(): Address {
    return this.negotiation.address;
  }

  /**
   * Runs a statement. It is retried while the server cannot be reached, so it must be harmless to run it twice: if only
   * the answer was lost, the statement was committed.
   */
  async query<Row>(statement: Statement, values: readonly unknown[], rowMode?: "array"): Promise<readonly Row[]> {
    const until = performance.now() + callPatience;
    // A try that was silent may answer while the next one runs: it was just slow.
    const answered = Promise.withResolvers<readonly Row[]>();
    let earlier: unknown;
    for (let pause = 50; ; pause = Math.min(pause * 2, maxPause)) {
      const [pool, wasPrepared] = [this.#pool, this.#isPrepared];
      const attempt = this.once<Row>(statement, values, rowMode);
      attempt.then(answered.resolve, () => {});
      const left = until - performance.now();
      try {
        return await answerWithin(Math.min(silence, left), [attempt, answered.promise]);
      } catch (error) {
        // Preparing may be off already: other prepared statements may have been sent when the first one was refused.
        if (losesStatements(error) && wasPrepared) this.#isPrepared = false;
        else if (!isCollision(error) && !isConnectionError(error)) throw error;
        // A try that the end of the call cut short says less than the try before it.
        const reason = left < silence && isSilent(error) ? (earlier ?? error) : error;
        if (this.#closing || performance.now() + pause > until) throw reason;
        earlier = reason;
        // The pool is replaced: its other connections probably do not answer either, and each would take as long to
        // time out. A setting of the database or the role that makes it read-only stays with a connection.
        const isStuck = isSilent(error) || error instanceof ReadOnlyPrimary;
        if (isStuck && this.#pool === pool) this.#pool = this.#open(pool);
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
    const pool = this.#pool;
    try {
      const { rows } = await pool.query({
        text,
        ...named,
        ...(patience !== undefined && { query_timeout: patience }),
        ...(values !== undefined && { values: [...values] }),
        ...(rowMode !== undefined && { rowMode }),
      });
      return rows as Row[];
    } catch (error) {
      if (isReadOnly(error) && (await isPrimary(pool))) throw new ReadOnlyPrimary("read-only", { cause: error });
      throw error;
    }
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

/** Asks a server that refuses writes whether it is a primary. */
async function isPrimary(pool: Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query("SELECT pg_is_in_recovery() AS is_standby");
    return (rows as readonly { readonly is_standby: boolean }[])[0]?.is_standby === false;
  } catch {
    return false;
  }
}

/** Resolves to the first answer. Rejects after a time without one, as the driver does. */
async function answerWithin<T>(milliseconds: number, answers: readonly Promise<T>[]): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new SilenceError()), milliseconds);
  try {
    return await Promise.race([...answers, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Loads the driver and connects. Throws a `StoreError` that says what is wrong with the address. */
export async function connect(negotiation: Negotiation): Promise<Database> {
  const connector = new Connector(negotiation, { name: "tenon", connectPatience, answerPatience: callPatience });
  try {
    return new Database(await connector.poolMaker(connections), negotiation);
  } catch (error) {
    throw toStoreError(error, negotiation.address);
  }
}
