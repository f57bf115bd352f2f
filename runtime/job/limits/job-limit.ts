/** The limit that a job counts for, as a store needs it. */
export interface JobLimit {
  /** Jobs with the same key share it; see `limitsOf`. */
  readonly key: string;
  /** Jobs at a time. */
  readonly jobs: number;
  /** Absent: a job above the limit waits. */
  readonly beyond?: "refuse" | "replace";
  /** Seconds after which a refused caller may try again. */
  readonly retryAfter: number;
}

/** The line that a job stands in. */
export interface LimitLine {
  /** The field or the part of the caller that tells the keys apart; the tool's name where it has one limit for all. */
  readonly limit: string;
  /** Number of jobs before it. */
  readonly ahead: number;
}

/** The name of the line of a key, for callers: without the value, and without `request.`. */
export function lineName(key: string): string {
  const [tool = "", per] = key.split(" ", 2);
  return per === undefined ? tool : per.replace(/^request\./, "");
}
