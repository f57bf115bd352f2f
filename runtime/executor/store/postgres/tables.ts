import type { Alarm } from "../alarm.ts";
import type { Database, Statement } from "./connection/database.ts";
import { statementsOf } from "./statements.ts";
import type { Statements } from "./statements.ts";
import { Wakes } from "../wakes.ts";

/** The tables of one schema, with the statements and the clock for them. */
export class Tables {
  readonly sql: Statements;
  /** Alarm that rings when a rate lets the next job of some key start. */
  readonly alarm: Alarm | undefined;
  /**
   * Times at which jobs with a limit come back that have left for a while. A claim skips these jobs, since they first
   * have to queue for their key; the housekeeping alone would queue them seconds late.
   */
  readonly wakes: Wakes;
  readonly #database: Database;
  readonly #now: (() => number) | undefined;

  /**
   * Opens the tables.
   *
   * @param now Clock of a test; otherwise the database's own clock counts.
   */
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

  /** Runs a statement whose first parameter is the time, and returns each row as a list of its columns. */
  timedLists<Row>(statement: Statement, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.query<Row>(statement, [this.#now?.() ?? null, ...values], "array");
  }

  query<Row>(statement: Statement, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.query<Row>(statement, values);
  }
}
