import type { JobStore } from "../../executor/store/job-store.ts";
import { createMemoryStore } from "../../executor/store/memory/memory.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";

/**
 * The store of a service. A tool with a limit of its own keeps that many finished jobs; all others share a limit.
 * Throws `StartError`.
 */
export async function openServiceStore(config: Config, served: Pick<Served, "service" | "tools">): Promise<JobStore> {
  const { tools } = served;
  const perTool = new Map<string, number>();
  for (const { name, options } of tools) {
    const size = options.executorOpts?.jobCacheSize;
    if (size !== undefined) perTool.set(name, size);
  }
  if (config.store === "memory:" && tools.some(({ functions }) => functions.limits !== undefined))
    (await import("./tell-of-limits.ts")).tellOfLimits(tools);
  if (config.store === "memory:" && config.storeListenUrl === undefined && perTool.size === 0)
    return createMemoryStore({ maxBytes: config.limits.kept });
  return (await import("./open-configured-store.ts")).openConfiguredStore(config, served, perTool);
}
