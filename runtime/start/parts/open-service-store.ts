import { StartError } from "../../base/start-error.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { createMemoryStore } from "../../executor/store/memory/memory.ts";
import { StoreError } from "../../executor/store/store-error.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";

/**
 * The store of a service. A tool with a limit of its own keeps that many finished jobs; all others share a limit.
 * Throws `StartError`.
 */
export async function openServiceStore(
  config: Config,
  { service, tools }: Pick<Served, "service" | "tools">,
): Promise<JobStore> {
  const perTool = new Map<string, number>();
  for (const { name, options } of tools) {
    const size = options.executorOpts?.jobCacheSize;
    if (size !== undefined) perTool.set(name, size);
  }
  if (config.store === "memory:" && tools.some(({ functions }) => functions.limits !== undefined))
    (await import("./tell-of-limits.ts")).tellOfLimits(tools);
  if (config.store === "memory:" && config.storeListenUrl === undefined && perTool.size === 0)
    return createMemoryStore({ maxBytes: config.limits.kept });
  try {
    const { openStore } = await import("../../executor/store/open-store.ts");
    const store = await openStore(config.store, {
      perTool,
      maxBytes: config.limits.kept,
      endLeases: true,
      listenUrl: config.storeListenUrl,
      patience: config.startTimeout,
      user: { service: service.name, tools },
    });
    if (store.isShared === true && config.flags.withMcp && config.stateKey === undefined) {
      (await import("./warn-of-state-key.ts")).warnOfStateKey();
    }
    return store;
  } catch (error) {
    if (error instanceof StoreError) throw new StartError(error.message);
    throw error;
  }
}
