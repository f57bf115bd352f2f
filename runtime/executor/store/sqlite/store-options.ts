import type { HousekeepingOptions } from "./housekeeping.ts";

export interface SqliteStoreOptions {
  /** Maximum number of finished jobs; default 10000. The jobs that expire first are dropped first. */
  readonly maxFinished?: number;
  /** Limits of tools that have their own, which may be exceeded by a tenth; all other tools share `maxFinished`. */
  readonly perTool?: ReadonlyMap<string, number>;
  /** Maximum number of dead letters; default 1000, the oldest are dropped first. */
  readonly maxDeadLetters?: number;
  /** Seconds for which a dead letter is stored; default 14 days. */
  readonly deadLetterTtl?: number;
  /** Maximum size of the file in bytes; default: as much as the disk holds. */
  readonly maxBytes?: number;
  /** Maximum bytes of the JSON of a request that stays stored after the end of its job; default: it is deleted. */
  readonly keptInput?: number | undefined;
  /**
   * True: ends every lease when the file is opened. For a store whose workers all lived in the previous process.
   * Otherwise leases stay valid while the store is closed, and their workers may continue.
   */
  readonly endLeases?: boolean;
  /**
   * Minimum milliseconds, after the opening, for leases of an earlier process, which workers could not renew while the
   * store was closed. An attempt that is lost nevertheless is not counted.
   */
  readonly leaseGrace?: number;
  /** Milliseconds since 1970; default: the clock's time at the opening, continued by a monotonic clock. */
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

/** Creates a clock of the time of day without jumps: leases must not end because the clock is set forward. */
function steadyClock(): () => number {
  const start = Date.now() - performance.now();
  return () => Math.trunc(start + performance.now());
}
