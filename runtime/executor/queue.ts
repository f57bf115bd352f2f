import type { JsonObject } from "../contract/contract.ts";
import type { RunningJob } from "./running/running-job.ts";
import { countsOf } from "./store/job-counts.ts";
import type { CountsJobs, ToolCounts } from "./store/job-counts.ts";
import type { JobStore } from "./store/job-store.ts";

/** How much is to be done, of a tool or of all together. */
export type QueueFigures = Omit<ToolCounts, "tool">;

export interface QueueSource {
  /** The jobs of this process that have not ended. */
  readonly jobs: readonly RunningJob[];
  readonly store: JobStore & Partial<CountsJobs>;
  /** Names of the tools to tell of; jobs of others are left out. */
  readonly tools: readonly string[];
}

const none: QueueFigures = { waiting: 0, running: 0, dead: 0, oldestWaiting: 0 };

/**
 * The figures of each tool: of the store, whichever process runs its jobs, and of this process. A job that waits for a
 * place here has its lease in the store already, and waits all the same.
 */
export async function queueOf({ jobs, store, tools }: QueueSource): Promise<readonly ToolCounts[]> {
  const stored = new Map((await countsOf(store)).map(({ tool, ...figures }) => [tool, figures]));
  return tools.map((tool) => {
    const here = jobs.filter((job) => job.tool.name === tool && job.ending === undefined && !job.isStandIn);
    const since = here.flatMap((job) => job.lane.waitsSince(job) ?? []);
    const { waiting, running, dead, oldestWaiting } = stored.get(tool) ?? none;
    const elsewhere = Math.max(0, running - here.filter(({ kept }) => kept).length);
    const longest = since.length === 0 ? 0 : (performance.now() - Math.min(...since)) / 1000;
    return {
      tool,
      waiting: waiting + since.length,
      running: elsewhere + here.length - since.length,
      dead,
      oldestWaiting: Math.max(oldestWaiting, longest),
    };
  });
}

/** A service with the figures of its tools. */
export interface ServiceQueue {
  readonly key: string;
  /** Default: the sum of its tools. */
  readonly all?: QueueFigures;
  readonly tools: readonly ToolCounts[];
}

/** The body of `GET /queue`. */
export function queueBody(services: readonly ServiceQueue[]): JsonObject {
  const sums = services.map(({ tools, all = sumOf(tools) }) => all);
  return {
    ...shown(sumOf(sums)),
    services: Object.fromEntries(
      services.map(({ key, tools }, index) => [
        key,
        {
          ...shown(sums[index] ?? none),
          tools: Object.fromEntries(tools.map((figures) => [figures.tool, shown(figures)])),
        },
      ]),
    ),
  };
}

function sumOf(list: readonly QueueFigures[]): QueueFigures {
  return list.reduce(
    (sum, { waiting, running, dead, oldestWaiting }) => ({
      waiting: sum.waiting + waiting,
      running: sum.running + running,
      dead: sum.dead + dead,
      oldestWaiting: Math.max(sum.oldestWaiting, oldestWaiting),
    }),
    none,
  );
}

function shown({ waiting, running, dead, oldestWaiting }: QueueFigures): JsonObject {
  return { waiting, running, "oldest-waiting-seconds": Math.round(oldestWaiting * 1000) / 1000, dead };
}
