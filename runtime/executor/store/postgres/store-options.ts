import type { StoreUser } from "./tool-owner.ts";

export interface PostgresStoreOptions {
  /**
   * Maximum number of finished jobs; default 10000. The jobs that expire first are dropped first. A limit above 10,000
   * is exceeded by what other replicas finish until jobs are counted again: one round of housekeeping for each 10,000.
   */
  readonly maxFinished?: number;
  /** Limits of tools that have their own, which may be exceeded by a tenth; all other tools share `maxFinished`. */
  readonly perTool?: ReadonlyMap<string, number>;
  /** Maximum number of dead letters; default 1000, the oldest are dropped first. */
  readonly maxDeadLetters?: number;
  /** Seconds for which a dead letter is stored; default 14 days. */
  readonly deadLetterTtl?: number;
  /** Maximum bytes of the JSON of a request that stays stored after the end of its job; default: it is deleted. */
  readonly keptInput?: number;
  /** Clock of a test, in milliseconds since 1970; otherwise the database's own clock counts. */
  readonly now?: () => number;
  /** Address for `LISTEN`, needed if the store's own address is that of a pooler. */
  readonly listenUrl?: string;
  /** Milliseconds to wait for a server that cannot be reached at the start; default none. */
  readonly patience?: number;
  /** Tools whose jobs may have head starts; default: those whose jobs this process stores. */
  readonly early?: readonly string[] | "any";
  /** The service that owns the jobs; default: none, and other services are not kept out. */
  readonly user?: StoreUser | undefined;
}
