import type { JobContext as Job } from "tenon";

/**
 * Adds numbers.
 * @param a - The first.
 * @param job - Reports.
 * @param b The second;
 *   may be left out.
 * @param unit Printed behind the sum.
 * @param more Any others.
 * @tool
 */
export async function add(a: number, job: Job, b = 2, unit?: "m" | "s", ...more: number[]): Promise<number> {
  job.logger.info(unit ?? "");
  return more.reduce((sum, n) => sum + n, a + b);
}

/**
 * Says when.
 * @param since From here.
 * @param tags Only these.
 * @schema urn:example:schema.when.request.1
 * @tool
 */
export function when(since: Date = new Date(0), tags: string[] = ["a"]): string {
  return `${since.toISOString()} ${tags.join()}`;
}

/** Doubles. @param n The number. @tool */
export const double = (n: number): number => 2 * n;

/** Takes nothing. @tool */
export function now(): number {
  return 0;
}

/** Takes the job only. @tool */
export function idle(job: Job): void {
  void job;
}
