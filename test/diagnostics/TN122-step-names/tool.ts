import type { JobContext } from "tenon";

const name = "constant";

/**
 * Names its steps by values.
 * @param ids - Ids of items.
 * @tool
 */
export async function run(ids: string[], job: JobContext): Promise<void> {
  for (const id of ids) await job.step(`ship ${id}`, () => id);
  await job.step(name, () => 1);
  await job.step("a[b]", () => 1);
  await job.step("", () => 1);
  await job.wait<boolean>(ids[0] ?? "");
}
