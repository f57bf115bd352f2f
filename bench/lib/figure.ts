/** The result of one contender. */
export interface Row {
  readonly contender: string;
  /** In the unit of the figure. */
  readonly median: number;
  /** Half the width of the middle half of the samples, in the same unit. */
  readonly spread: number;
}

/** A target for a figure. A missed goal stays in the report, marked. */
export interface Goal {
  /** The compared values, for example `tenon, cold ÷ tsc 6`. */
  readonly text: string;
  readonly value: number;
  readonly bound: number;
  readonly direction: "at most" | "at least";
  /** Unit of value and bound; default: ratios. */
  readonly unit?: string;
}

/** Values of one contender over growing sizes. */
export interface Curve {
  readonly contender: string;
  readonly points: readonly (readonly [size: number, value: number])[];
}

/** A table of a page; the first column holds names, the others values. */
export interface Table {
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
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
  /** Shown in place of the rows, which are drawn in any case. */
  readonly table?: Table;
  /** Drawn in place of the rows, which are empty then. */
  readonly curves?: readonly Curve[];
  /** Unit of the sizes of curves, for example `tools`. */
  readonly axis?: string;
}

/** A figure of curves. */
export function curvesFigure(curves: Omit<Figure, "rows" | "goals">): Figure {
  return { ...curves, rows: [], goals: [] };
}

/** A goal that is met by a value of at most `bound`. */
export function atMost(bound: number, text: string, value: number, unit?: string): Goal {
  return { text, value, bound, direction: "at most", ...(unit !== undefined && { unit }) };
}

/** A goal that is met by a value of at least `bound`. */
export function atLeast(bound: number, text: string, value: number, unit?: string): Goal {
  return { text, value, bound, direction: "at least", ...(unit !== undefined && { unit }) };
}

export function isReached({ value, bound, direction }: Goal): boolean {
  return direction === "at most" ? value <= bound : value >= bound;
}
