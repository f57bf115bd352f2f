import type { JobContext } from "tenon";

/**
 * Keeps a step in a thread.
 * @tool
 * @thread
 */
export async function heavy(job: JobContext): Promise<number> {
  return job.step("sum", () => 1);
}

/**
 * Keeps nothing.
 * @tool
 * @thread
 */
export function light(): number {
  return 1;
}
