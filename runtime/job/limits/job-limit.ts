/** The limit to which a job counts, in the form that a store needs. */
export interface JobLimit {
  /** Key of the limit; jobs with the same key share it; see `limitsOf`. */
  readonly key: string;
  /** Maximum number of jobs at a time; absent if only starts are limited. */
  readonly jobs?: number;
  /** Rate of starts; absent if only the number of jobs at a time is limited. */
  readonly rate?: JobRate;
  /** Debounce: the job is delayed, and a later request replaces its own. */
  readonly debounce?: JobDebounce;
  /** Behaviour for a job above the limit; absent: it waits. */
  readonly beyond?: "refuse" | "replace";
  /** Seconds after which a refused caller may try again, if no exact time is known. */
  readonly retryAfter: number;
}

/** The limit and the head start of a job. */
export interface JobTurn {
  readonly limit?: JobLimit;
  /**
   * Head start: milliseconds by which the job is placed in every queue as if it had arrived earlier; 0 for a job
   * without a head start of a tool with `@priority`. Absent for other tools, whose jobs start in the order of their
   * arrival.
   */
  readonly headStart?: number;
}

/** Limit of starts within a time, as a token bucket. */
export interface JobRate {
  /** Milliseconds in which the bucket gains one start. */
  readonly pace: number;
  /** Capacity of the bucket: number of jobs that may start at once after a pause. */
  readonly burst: number;
  /** Rate as written in the tag: `100/min`. */
  readonly text: string;
}

/** Milliseconds for which a job waits for another request, and their maximum, counted from the first request. */
export interface JobDebounce {
  readonly wait: number;
  readonly most?: number;
}

/** Queue in which a job waits. */
export interface LimitLine {
  /**
   * The field or the part of the caller that distinguishes the keys; the tool's name if it has one limit for all calls.
   */
  readonly limit: string;
  /** Number of jobs before this job; `mostAhead` means that many or more. */
  readonly ahead: number;
  /**
   * Time at which a rate lets the job start, RFC 3339. The job starts earlier if a job before it is cancelled, and
   * later if more jobs are before it than are counted.
   */
  readonly time?: string;
}

/** The name of a key's queue, for callers: without the value, and without `request.`. */
export function lineName(key: string): string {
  const [tool = "", per] = key.split(" ", 2);
  return per === undefined ? tool : per.replace(/^request\./, "");
}
