import type { HousekeepingOptions } from "./housekeeping.ts";

export interface SqliteStoreOptions {
  /** Number of finished jobs that are kept; default 10000. Those that expire first are dropped first. */
  readonly maxFinished?: number;
  /** Tools with a number of their own, of which up to a tenth more are kept; all others share `maxFinished`. */
  readonly perTool?: ReadonlyMap<string, number>;
  /** Number of dead letters that are kept; default 1000, the oldest are dropped first. */
  readonly maxDeadLetters?: number;
  /** Seconds that a dead letter is kept; default 14 days. */
  readonly deadLetterTtl?: number;
  /** Maximum size of the file in bytes; default: the disk. */
  readonly maxBytes?: number;
  /**
   * Ends every lease when the file is opened: for a store whose workers all lived in the previous process. Otherwise
   * leases outlive their store, and their workers may go on.
   */
  readonly endLeases?: boolean;
  /**
   * Milliseconds that leases of an earlier process get at least, counted from the opening: nobody could renew them
   * while the store was closed. An attempt that does not come back all the same is not counted.
   */
  readonly leaseGrace?: number;
  /** Milliseconds since 1970; default the clock at opening, going on monotonically. */
  readonly now?: () => number;
}

/** The options of the housekeeping, with their defaults. */
export function housekeepingOptions({
  maxFinished = 10_000,
  perTool = new Map(),
  maxDeadLetters = 1000,
  deadLetterTtl = 14 * 86_400,
  now = steadyClock(),
}: SqliteStoreOptions): HousekeepingOptions {
  return { maxFinished, perTool, maxDeadLetters, deadLetterTtl, now };
}

/** The time of day without jumps: setting the clock forward must not end every lease. */
function steadyClock(): () => number {
  const start = Date.now() - performance.now();
  return () => Math.trunc(start + performance.now());
}
