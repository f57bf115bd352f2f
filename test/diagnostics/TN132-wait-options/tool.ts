import type { JobContext, MessageOptions } from "tenon";

declare const either: "orders:a" | "orders:b";

/**
 * Waits with options that vary.
 * @param id - Id of an order.
 * @tool
 */
export async function varying(id: string, job: JobContext): Promise<void> {
  await waits(id, { scope: id }, job);
}

async function waits(scope: string, options: MessageOptions, job: JobContext): Promise<void> {
  let changing = "orders:changing";
  changing += scope;
  await job.wait<boolean>("parameter", { scope });
  await job.wait<boolean>("variable", { scope: changing });
  await job.wait<boolean>("either", { scope: either });
  await job.wait<boolean>("options", options);
  await job.wait<boolean>("some", { ...options, key: scope });
  await job.wait<boolean>("perhaps", { ...(scope === "" && { scope: "orders:perhaps" }) });
  await job.wait<boolean>("template", { scope: `orders:${scope}` });
  await job.wait<boolean>("no key", { key: scope === "" ? undefined : scope });
  await job.wait<boolean>("constant", { scope: "orders:constant", key: scope });
}
