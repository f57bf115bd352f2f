import { getLogger } from "../../../telemetry/log/logging.ts";
import { StoreError } from "../store-error.ts";
import type { Address } from "./connection/address.ts";
import { toToolError } from "./connection/postgres-error.ts";
import { literal, quoteName } from "./schema.ts";
import type { Tables } from "./tables.ts";

/** The service that uses a store, with the names of its tools. */
export interface StoreUser {
  readonly service: string;
  readonly tools: readonly string[];
}

/**
 * Milliseconds since a service was last seen after which, if it has no unfinished jobs, its tools may be taken over.
 */
const goneAfter = 48 * 3_600_000;
/** Milliseconds between two records that a service is running; its replicas share them. */
const seenEvery = 20_000;
/** Milliseconds after a check for which no other service can have taken the tools. */
const freshFor = 30_000;

interface Owner {
  readonly tool: string;
  readonly service: string;
}

/**
 * Records that the tools of a schema belong to one service, with all its replicas and builds: any other service would
 * run its jobs. A service that has lost its tools to another service accepts no more jobs.
 */
export class ToolOwner {
  readonly #tables: Tables;
  readonly #user: StoreUser;
  readonly #address: Address;
  #lookedAt = performance.now();
  #other: Owner | undefined;

  constructor(tables: Tables, user: StoreUser, address: Address) {
    this.#tables = tables;
    this.#user = user;
    this.#address = address;
  }

  /** Takes the tools at the start. Throws a `StoreError` when one of them belongs to a service of another name. */
  async take(): Promise<void> {
    const { sql } = this.#tables;
    const { service, tools } = this.#user;
    const own = await this.#tables.timed<{ readonly tool: string }>(sql.ownTools, tools, service, goneAfter);
    const names = new Set(own.map(({ tool }) => tool));
    const others = tools.filter((tool) => !names.has(tool));
    this.#lookedAt = performance.now();
    if (others.length === 0) return;
    const [first] = await this.#tables.query<Owner>(sql.ownerOf, others);
    const { schema, shown } = this.#address;
    throw new StoreError(
      `TENON_STORE: the service ${quoted(first?.service)} keeps its jobs in the schema ${schema} of ${shown}, and has a ` +
        `tool ${quoted(first?.tool)} as ${quoted(service)} does. Give each service a schema of its own with ?schema=NAME. ` +
        `If the service was renamed, end its replicas with the old name and hand its jobs over: ${this.#handOver(first)}`,
    );
  }

  /** Records that the service is still running, and checks whether another service has taken its tools. */
  async see(): Promise<void> {
    const { service, tools } = this.#user;
    const [other] = await this.#tables.timed<Owner>(this.#tables.sql.seeTools, tools, service, seenEvery);
    this.#lookedAt = performance.now();
    if (other?.service !== this.#other?.service) this.#tell(other);
    this.#other = other;
  }

  /**
   * Returns the reason why no jobs may be accepted; undefined if they may. Returns a promise if the last check is too
   * old.
   */
  why(): string | undefined | Promise<string | undefined> {
    if (performance.now() - this.#lookedAt < freshFor) return this.#why();
    return this.see().then(() => this.#why());
  }

  /**
   * Performs an action that is allowed only to the service that owns the tools. If the ownership is known, the action
   * begins in the same turn of the event loop.
   */
  act<T>(act: () => Promise<T>, refuse: (why: string) => Promise<T>): Promise<T> {
    const why = this.why();
    if (why === undefined) return act();
    if (typeof why === "string") return refuse(why);
    const { shown, schema } = this.#address;
    return why.then(
      (later) => (later === undefined ? act() : refuse(later)),
      (error: unknown) => Promise.reject(toToolError(error, shown, schema)),
    );
  }

  #why(): string | undefined {
    if (this.#other === undefined) return undefined;
    const { service, tool } = this.#other;
    return `The service ${quoted(service)} has the tool ${quoted(tool)} in the schema ${this.#address.schema} now.`;
  }

  #tell(other: Owner | undefined): void {
    const { service } = this.#user;
    const log = getLogger("tenon");
    if (other === undefined)
      log.info(`The tools of the service ${quoted(service)} are its own again, and it takes jobs.`);
    else {
      log.error(
        `The service ${quoted(other.service)} has taken the tool ${quoted(other.tool)} in the schema ` +
          `${this.#address.schema}: ${quoted(service)} takes no jobs any more. End one of them, or give it a schema of its ` +
          `own with ?schema=NAME. To give the tools back: ${this.#handOver(other, service)}`,
      );
    }
  }

  #handOver(from: Owner | undefined, to = this.#user.service): string {
    const table = `${quoteName(this.#address.schema)}.tools`;
    return `UPDATE ${table} SET service = ${literal(to)} WHERE service = ${literal(from?.service ?? "")};`;
  }
}

function quoted(text = ""): string {
  return JSON.stringify(text);
}
