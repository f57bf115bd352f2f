import type { JobContext } from "tenon";

/**
 * Ships in loops.
 * @param ids - Ids of items.
 * @tool
 */
export async function run(ids: string[], job: JobContext): Promise<void> {
  for (const id of ids) await job.step("ship", () => id);
  await Promise.all(ids.map((id) => job.step("pack", () => id)));
  while (await job.step("ask", () => false)) await job.wait<string>("news");
  await Promise.all(ids.map((id) => job.step("label", { key: id }, () => id)));
  for (const id of await job.step("list", () => ids)) job.logger.info(id);
}
