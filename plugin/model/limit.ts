/** The part of a call by which a limit counts: each of its values has its own limit. */
export interface LimitKey {
  /** Key as written in the tag: `request.account`, `caller`, or `caller.client`. */
  readonly per?: string;
  /** True if the value is a number, so that `5`, and `"5.0"` from a caller that sends texts, are the same key. */
  readonly numeric?: true;
}

/** `@limit`: maximum number of jobs of a tool, or of each key, at a time. */
export interface LimitModel extends LimitKey {
  readonly jobs: number;
  /** Behaviour for a job above the limit: it waits, is refused, or replaces the oldest one. */
  readonly beyond: "wait" | "refuse" | "replace";
}

/** `@debounce`: of requests that follow one another quickly, only the last one runs. Times in milliseconds. */
export interface DebounceModel extends LimitKey {
  readonly wait: number;
  readonly most?: number;
}

/** `@priority`: head start of the jobs whose request has a value in a field. */
export interface PriorityModel {
  /** Milliseconds. */
  readonly headStart: number;
  /** Field as written in the tag: `request.plan`. */
  readonly when: string;
  readonly is: string | number | boolean;
}

/** `@rate`: maximum number of jobs of a tool, or of each key, that start within a time. */
export interface RateModel extends LimitKey {
  readonly starts: number;
  readonly each: "s" | "min" | "h" | "day";
  /** Number of jobs that may start at once after a pause. */
  readonly burst: number;
  readonly beyond: "wait" | "refuse";
}
