import type { JobContext } from "tenon";

/** Takes two jobs. @tool */
export function jobs(a: JobContext, b: JobContext): void {
  void [a, b];
}

/** Takes patterns. @tool */
export function patterns([a]: number[], b: number): void {
  void [a, b];
}

/** Needs this. @tool */
export function method(this: Date): void {}
