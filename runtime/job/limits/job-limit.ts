/** The limit to which a job counts, in the form that a store needs. */
export interface JobLimit {
  /** Jobs with the same key share the limit; see `limitsOf`. */
  readonly key: string;
  /** Jobs at a time; absent where only their starts are counted. */
  readonly jobs?: number;
  /** Starts in a time; absent where only jobs at a time are counted. */
  readonly rate?: JobRate;
  /** A job waits so long for another request, which takes the place of its own. */
  readonly debounce?: JobDebounce;
  /** Absent: a job above the limit waits. */
  readonly beyond?: "refuse" | "replace";
  /** Seconds after which a refused caller may try again, where no time is known. */
  readonly retryAfter: number;
}

/** Starts in a time, as a bucket that fills with one start after the other. */
export interface JobRate {
  /** Milliseconds in which the bucket gets one start. */
  readonly pace: number;
  /** Starts that it holds, so that so many come at once after a pause. */
  readonly burst: number;
  /** As it is written: `100/min`. */
  readonly text: string;
}

/** Milliseconds that a job waits for another request; and at most, counted from the first one. */
export interface JobDebounce {
  readonly wait: number;
  readonly most?: number;
}

/** The line that a job stands in. */
export interface LimitLine {
  /**
   * The field or the part of the caller that distinguishes the keys; the tool's name if it has one limit for all calls.
   */
  readonly limit: string;
  /** Number of jobs before it. */
  readonly ahead: number;
  /** When a rate lets it start, in RFC 3339; earlier when one before it is cancelled. */
  readonly time?: string;
}

/** The name of a key's queue, for callers: without the value, and without `request.`. */
export function lineName(key: string): string {
  const [tool = "", per] = key.split(" ", 2);
  return per === undefined ? tool : per.replace(/^request\./, "");
}
