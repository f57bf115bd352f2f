import { openedOnce } from "../../base/opened-once.ts";
import { entryKey } from "../../contract/process-keys.ts";
import type { PlatformSettings } from "../../service/config/platform-settings.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { endFailed } from "../run/run-job.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { ThreadPool } from "./pool.ts";

/** Runs the jobs of tools that carry `@thread`. */
export interface Threads {
  run(job: RunningJob): void;
  close(): Promise<void>;
}

/** Creates threads if some tool needs them; undefined when none does, or when the file to run is unknown. */
export function createThreads(tools: readonly Tool[], platform: PlatformSettings): Threads | undefined {
  const threaded = tools.filter(({ definition }) => definition.thread === true);
  if (threaded.length === 0) return undefined;
  const entry = (globalThis as { [entryKey]?: string })[entryKey];
  if (entry === undefined) {
    const names = threaded.map(({ name }) => name).join(", ");
    getLogger("tenon").warn(`${names}: @thread has no effect, because the service was not built with tenon's plugin.`);
    return undefined;
  }
  const size = Math.max(...threaded.map(threadsOf));
  const pool = openedOnce<ThreadPool>(async () =>
    (await import("./pool.ts")).createThreadPool({ entry, size, platform }),
  );
  return {
    run(job) {
      job.begin();
      pool.value().then(
        (threads) => threads.run(job),
        (error: unknown) => endFailed(job, error),
      );
    },
    async close() {
      await (await pool.settled())?.close();
    },
  };
}

/**
 * Returns the maximum number of jobs of a tool that run in threads at the same time. More jobs than cores would only
 * wait for one another.
 */
export function threadsOf({ options }: Tool): number {
  return options.executorOpts?.maxWorkers ?? process.getBuiltinModule("node:os").availableParallelism();
}
