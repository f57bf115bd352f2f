import { StoreError } from "../store-error.ts";
import type { Address } from "./address.ts";
import type { Tables } from "./tables.ts";

/** The service that uses a store, with the names of its tools. */
export interface StoreUser {
  readonly service: string;
  readonly tools: readonly string[];
}

/** Milliseconds after which a service that was not seen gives up its tools: it has been renamed, or is gone. */
const goneAfter = 60_000;
/** Milliseconds between two notes that it is there; all its replicas together write one. */
const seenEvery = 20_000;

/**
 * Notes that the tools are those of the service. Replicas and builds of one service share them. Throws a `StoreError`
 * when a service of another name that still runs has one of them: either would run the jobs of the other.
 */
export async function ownTools(tables: Tables, { service, tools }: StoreUser, address: Address): Promise<void> {
  const { sql } = tables;
  const own = await tables.timed<{ readonly tool: string }>(sql.ownTools, tools, service, goneAfter);
  const names = new Set(own.map(({ tool }) => tool));
  const others = tools.filter((tool) => !names.has(tool));
  if (others.length === 0) return;
  const [first] = await tables.query<{ readonly tool: string; readonly service: string }>(sql.ownerOf, others);
  throw new StoreError(
    `TENON_STORE: the service ${JSON.stringify(first?.service)} keeps its jobs in the schema ${address.schema} of ` +
      `${address.shown}, and has a tool ${JSON.stringify(first?.tool)} as ${JSON.stringify(service)} does. Give each service a ` +
      `schema of its own with ?schema=NAME. If the service was renamed, start it a minute after the last replica with ` +
      "the old name has ended.",
  );
}

/** Notes that the service still runs, if nobody has done so for a while. */
export async function seeTools(tables: Tables, { service, tools }: StoreUser): Promise<void> {
  await tables.timed(tables.sql.seeTools, tools, service, seenEvery);
}
