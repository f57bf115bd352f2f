/** Position of a job in its queue. */
export interface TurnRow {
  /** Time at which the job joined its queue, less its head start; null for a tool without `@priority`. */
  readonly early: number | null;
  /** Time at which the job joined its queue. */
  readonly due: number;
}

/**
 * True if the oldest job of a queue is before the first of those that have head starts, whose position is `earliest`.
 * No other job can be before both: all jobs that came before it have their turn before it, or have a head start.
 */
export function isBefore(oldest: TurnRow, earliest: number): boolean {
  return oldest.early === null && oldest.due <= earliest;
}
