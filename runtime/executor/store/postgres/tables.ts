import type { Alarm } from "../alarm.ts";
import type { Database, Statement } from "./connection/database.ts";
import { statementsOf } from "./statements.ts";
import type { Statements } from "./statements.ts";
import { Wakes } from "../wakes.ts";

/** The tables of one schema: its statements, and the clock that they use. */
export class Tables {
  readonly sql: Statements;
  /** Rings when a rate lets the next job of some key start. */
  readonly alarm: Alarm | undefined;
  /**
   * Jobs with a limit that have left for a time. A claim skips them, since they first have to queue for their key; the
   * housekeeping alone would queue them seconds late.
   */
  readonly wakes: Wakes;
  readonly #database: Database;
  readonly #now: (() => number) | undefined;

  /** @param now The time of a test; otherwise the database's own clock counts. */
  constructor(database: Database, now: (() => number) | undefined, alarm?: Alarm) {
    this.alarm = alarm;
    this.#database = database;
    this.#now = now;
    this.wakes = new Wakes(now);
    this.sql = statementsOf(database.address.schema);
  }

  /** Runs a statement whose first parameter is the time. */
  timed<Row>(statement: Statement, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.query<Row>(statement, [this.#now?.() ?? null, ...values]);
  }

  /** Runs such a statement, and returns each row as a list of its columns. */
  timedLists<Row>(statement: Statement, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.query<Row>(statement, [this.#now?.() ?? null, ...values], "array");
  }

  query<Row>(statement: Statement, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.query<Row>(statement, values);
  }
}
