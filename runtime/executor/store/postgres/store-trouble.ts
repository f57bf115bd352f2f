import { setTimeout as sleep } from "node:timers/promises";
import { getLogger } from "../../../telemetry/log/logging.ts";
import type { Database, Statement } from "./connection/database.ts";
import { explainPostgres } from "./connection/postgres-error.ts";
import type { ToolOwner } from "./tool-owner.ts";

/** Milliseconds for which an answer is cached, however often it is requested. */
const countsFor = 2000;
/** Milliseconds until a database without an answer counts as unusable. */
const patience = 2000;

/** Tests for readiness whether jobs can be stored. */
export class StoreTrouble {
  readonly #database: Database;
  readonly #probe: Statement;
  readonly #owner: ToolOwner | undefined;
  #told: string | undefined;
  #last: { readonly at: number; readonly why: Promise<string | undefined> } | undefined;

  constructor(database: Database, probe: Statement, owner: ToolOwner | undefined) {
    this.#database = database;
    this.#probe = probe;
    this.#owner = owner;
  }

  /** Returns the reason why no job can be stored; undefined if jobs can be stored. */
  why(): Promise<string | undefined> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#last.at > countsFor) this.#last = { at: now, why: this.#ask() };
    return this.#last.why;
  }

  /** Tests the store. A reason is logged only once, since anybody may request readiness. */
  async #ask(): Promise<string | undefined> {
    const why = await this.#try();
    if (why !== undefined && this.#told === undefined) getLogger("tenon").warn(`The service is not ready: ${why}`);
    if (why === undefined && this.#told !== undefined) getLogger("tenon").info("The job store can be written again.");
    this.#told = why;
    return why === undefined ? undefined : "The job store cannot be written.";
  }

  async #try(): Promise<string | undefined> {
    const { shown, schema } = this.#database.address;
    const late = new AbortController();
    try {
      const why = this.#database.once(this.#probe, undefined).then(() => this.#owner?.why());
      const silence = sleep(patience, `The job store ${shown} gives no answer.`, { ref: false, signal: late.signal });
      return await Promise.race([why, silence]);
    } catch (error) {
      return `The job store ${explainPostgres(error, shown, schema)}`;
    } finally {
      late.abort();
    }
  }
}
