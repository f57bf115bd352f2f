import type { StoreUser } from "./tool-owner.ts";

export interface PostgresStoreOptions {
  /** Number of finished jobs that are kept; default 10000. Those that expire first are dropped first. */
  readonly maxFinished?: number;
  /** Tools with a number of their own, of which up to a tenth more are kept; all others share `maxFinished`. */
  readonly perTool?: ReadonlyMap<string, number>;
  /** Number of dead letters that are kept; default 1000, the oldest are dropped first. */
  readonly maxDeadLetters?: number;
  /** Seconds that a dead letter is kept; default 14 days. */
  readonly deadLetterTtl?: number;
  /** The time of a test, in milliseconds since 1970; otherwise the database's own clock counts. */
  readonly now?: () => number;
  /** Address for `LISTEN`, where that of the store is a pooler's; default the store's own. */
  readonly listenUrl?: string;
  /** Milliseconds to wait for a server that cannot be reached at the start; default none. */
  readonly patience?: number;
  /** The service whose jobs they are; default: none, and nobody else is kept off. */
  readonly user?: StoreUser | undefined;
}
