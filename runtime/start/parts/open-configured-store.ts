import { StartError } from "../../base/start-error.ts";
import type { JobStore } from "../../executor/store/job-store.ts";
import { openStore } from "../../executor/store/open-store.ts";
import { StoreError } from "../../executor/store/store-error.ts";
import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";

/**
 * Opens the store that the configuration names, for any but the plain one in memory. Throws `StartError`.
 *
 * @param perTool Number of finished jobs that are kept, of each tool with a limit of its own
 */
export async function openConfiguredStore(
  config: Config,
  { service, tools }: Pick<Served, "service" | "tools">,
  perTool: ReadonlyMap<string, number>,
): Promise<JobStore> {
  try {
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
