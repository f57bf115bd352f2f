/** How a contender did. */
export interface Row {
  readonly contender: string;
  /** In the unit of the figure. */
  readonly median: number;
  /** Half the width of the middle half of the samples, in the same unit. */
  readonly spread: number;
}

/** What a figure should reach. One that is missed stays in the report, marked. */
export interface Goal {
  /** What was compared, for example `tenon, cold ÷ tsc 6`. */
  readonly text: string;
  readonly value: number;
  readonly bound: number;
  readonly direction: "at most" | "at least";
  /** Of value and bound; default: they are ratios. */
  readonly unit?: string;
}

/** Contenders that did the same work in the same run. */
export interface Figure {
  /** Name of the plot's file, for example `build-100`. */
  readonly id: string;
  /** For example `Cold build of 100 tools, whole process`. */
  readonly name: string;
  /** For example `ms`, `MB`, `requests/s`. */
  readonly unit: string;
  readonly better: "lower" | "higher";
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
}

/** A goal that is reached by a value that is not larger. */
export function atMost(bound: number, text: string, value: number, unit?: string): Goal {
  return { text, value, bound, direction: "at most", ...(unit !== undefined && { unit }) };
}

/** A goal that is reached by a value that is not smaller. */
export function atLeast(bound: number, text: string, value: number, unit?: string): Goal {
  return { text, value, bound, direction: "at least", ...(unit !== undefined && { unit }) };
}

export function isReached({ value, bound, direction }: Goal): boolean {
  return direction === "at most" ? value <= bound : value >= bound;
}
