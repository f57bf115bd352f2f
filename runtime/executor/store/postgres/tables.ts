import type { Alarm } from "../alarm.ts";
import type { Database, Statement } from "./connection/database.ts";
import { statementsOf, type Statements } from "./statements.ts";
import { Wakes } from "../wakes.ts";

/** Options of the store that its statements need. */
interface TableOptions {
  readonly early?: readonly string[] | "any";
  readonly keptInput?: number;
}

/** The tables of one schema, with the statements and the clock for them. */
export class Tables {
  readonly sql: Statements;
  /** Alarm that rings when a rate lets the next job of some key start. */
  readonly alarm: Alarm | undefined;
  /**
   * Times at which parked or delayed jobs with a limit become claimable again. A claim skips these jobs, since they
   * first have to wait in the queue of their key. Without these times, only the periodic housekeeping would add them to
   * the queue, seconds late.
   */
  readonly wakes: Wakes;
  /** Tools that may have jobs with head starts; undefined: any tool may. */
  readonly #early: Set<string> | undefined;
  readonly #database: Database;
  readonly #now: (() => number) | undefined;

  /**
   * Opens the tables.
   *
   * @param now Clock of a test; otherwise the database's own clock counts.
   */
  constructor(
    database: Database,
    now: (() => number) | undefined,
    alarm?: Alarm,
    { early = [], keptInput }: TableOptions = {},
  ) {
    this.alarm = alarm;
    this.#database = database;
    this.#now = now;
    this.wakes = new Wakes(now);
    this.#early = early === "any" ? undefined : new Set(early);
    this.sql = statementsOf(database.address.schema, keptInput);
  }

  /** True if the tool may have jobs with head starts. */
  isEarly(tool: string): boolean {
    return this.#early?.has(tool) !== false;
  }

  /** Called when a job with a head start is stored. */
  hasEarly(tool: string): void {
    this.#early?.add(tool);
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
