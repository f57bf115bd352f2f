/** The limit to which a job counts, in the form that a store needs. */
export interface JobLimit {
  /** Jobs with the same key share the limit; see `limitsOf`. */
  readonly key: string;
  /** Maximum number of jobs at a time. */
  readonly jobs: number;
  /** Absent: a job above the limit waits. */
  readonly beyond?: "refuse" | "replace";
  /** Seconds after which a refused caller may try again. */
  readonly retryAfter: number;
}

/** The queue in which a job waits because of a limit. */
export interface LimitLine {
  /**
   * The field or the part of the caller that distinguishes the keys; the tool's name if it has one limit for all calls.
   */
  readonly limit: string;
  /** Number of jobs before it. */
  readonly ahead: number;
}

/** The name of a key's queue, for callers: without the value, and without `request.`. */
export function lineName(key: string): string {
  const [tool = "", per] = key.split(" ", 2);
  return per === undefined ? tool : per.replace(/^request\./, "");
}
