import { StartError } from "../base/start-error.ts";
import type { JobStore } from "../executor/store/job-store.ts";
import { openStore } from "../executor/store/open-store.ts";
import { StoreError } from "../executor/store/store-error.ts";
import type { Config } from "../service/config/config.ts";
import type { Tool } from "../service/tools/tool.ts";

const defaultKept = 10_000;

/** The store of a service. It keeps as many finished jobs as the tool that asks for most. Throws `StartError`. */
export async function openServiceStore(config: Config, tools: readonly Tool[]): Promise<JobStore> {
  const maxFinished = Math.max(...tools.map(({ options }) => options.executorOpts?.jobCacheSize ?? defaultKept));
  try {
    const store = await openStore(config.store, { maxFinished, endLeases: true, listenUrl: config.storeListenUrl });
    if (store.isShared === true && config.flags.withMcp && config.stateKey === undefined) {
      (await import("./warn-of-state-key.ts")).warnOfStateKey();
    }
    return store;
  } catch (error) {
    if (error instanceof StoreError) throw new StartError(error.message);
    throw error;
  }
}
