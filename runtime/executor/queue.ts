import type { RunningJob } from "./running/running-job.ts";
import { countsOf, type CountsJobs, type ToolCounts } from "./store/job-counts.ts";
import type { TellsHeld } from "./store/held-jobs.ts";
import type { JobStore } from "./store/job-store.ts";
import { noFigures } from "./store/queue-body.ts";

export interface QueueSource {
  /** The jobs of this process that have not ended. */
  readonly jobs: readonly RunningJob[];
  readonly store: JobStore & Partial<CountsJobs & TellsHeld>;
  /** Names of the tools to count; jobs of others are left out. */
  readonly tools: readonly string[];
}

/**
 * Counts the jobs of each tool: in the store, for all processes, and in this process. A job that waits for a slot here
 * already has a lease in the store, but counts as waiting.
 */
export async function queueOf({ jobs, store, tools }: QueueSource): Promise<readonly ToolCounts[]> {
  const stored = new Map((await countsOf(store)).map(({ tool, ...figures }) => [tool, figures]));
  const held = new Map((await store.heldJobs?.(0))?.tools.map((one) => [one.tool, one]));
  return tools.map((tool) => {
    const here = jobs.filter((job) => job.tool.name === tool && job.ending === undefined && job.known === undefined);
    const since = here.flatMap((job) => job.lane.waitsSince(job) ?? []);
    const { waiting, running, dead, oldestWaiting } = stored.get(tool) ?? noFigures;
    const elsewhere = Math.max(0, running - here.filter(({ kept }) => kept).length);
    const longest = since.length === 0 ? 0 : (performance.now() - Math.min(...since)) / 1000;
    return {
      tool,
      waiting: waiting + since.length,
      running: elsewhere + here.length - since.length,
      dead,
      oldestWaiting: Math.max(oldestWaiting, longest),
      ...held.get(tool),
    };
  });
}
