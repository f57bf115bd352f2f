/** The part of a call by which a limit counts: each value has a limit of its own. */
export interface LimitKey {
  /** As it is written: `request.account`, `caller`, or `caller.client`. */
  readonly per?: string;
  /** True if the value is a number, so that `5` and `"5.0"` from a caller that sends texts are the same key. */
  readonly numeric?: true;
}

/** `@limit`: maximum number of jobs of a tool, or of each key, at a time. */
export interface LimitModel extends LimitKey {
  readonly jobs: number;
  /** A job above the limit waits, is refused, or replaces the oldest one. */
  readonly beyond: "wait" | "refuse" | "replace";
}

/** `@debounce`: the last request of some runs; times in milliseconds. */
export interface DebounceModel extends LimitKey {
  readonly wait: number;
  readonly most?: number;
}

/** `@rate`: so many jobs of a tool, or of each key, start in a time. */
export interface RateModel extends LimitKey {
  readonly starts: number;
  readonly each: "s" | "min" | "h" | "day";
  /** Starts that come at once after a pause. */
  readonly burst: number;
  readonly beyond: "wait" | "refuse";
}
