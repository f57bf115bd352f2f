import type { JobContext } from "tenon";

/**
 * Uses one name twice.
 * @param sure - Really?
 * @tool
 */
export async function run(sure: boolean, job: JobContext): Promise<void> {
  if (sure) await job.step("charge", () => 1);
  else await job.step("charge", () => 2);
  const later = (): Promise<number> => job.step("charge", () => 3);
  await later();
  await job.step("other", () => 3);
}
