import type { Tool } from "../service/tools/tool.ts";
import { runJob } from "./run/run-job.ts";
import { Lane, type LaneOptions } from "./running/lane.ts";
import type { RunningJob } from "./running/running-job.ts";
import { threadsOf, type Threads } from "./threads/threads.ts";

const defaultQueueSize = 1000;
/** The same for a tool with a limit: a backlog of one key must not refuse calls of others. */
const limitedQueueSize = 10_000;
const defaultRefreshInterval = 3;

type Shared = Pick<LaneOptions, "outside" | "requests">;

/** The queues (lanes) of an executor, one for each of its tools. */
export class Lanes {
  /** Queues by tool, and by the tool's name. */
  readonly #lanes = new Map<Tool | string, Lane>();

  constructor(tools: readonly Tool[], threads: Threads | undefined, shared: Shared) {
    for (const tool of tools) {
      const lane = openLane(tool, threads, shared);
      this.#lanes.set(tool, lane).set(tool.name, lane);
    }
  }

  of(tool: Tool): Lane {
    const lane = this.#lanes.get(tool);
    if (lane === undefined) throw new Error(`The tool ${tool.name} does not belong to this executor.`);
    return lane;
  }

  /** Number of free slots for jobs of a tool. */
  free(name: string): number {
    return this.#lanes.get(name)?.free ?? 0;
  }
}

function openLane(tool: Tool, allThreads: Threads | undefined, shared: Shared): Lane {
  const threads = tool.definition.thread === true ? allThreads : undefined;
  const run = threads === undefined ? runJob : (job: RunningJob): void => threads.run(job);
  const usual =
    threads === undefined ? 4 * process.getBuiltinModule("node:os").availableParallelism() : threadsOf(tool);
  const { limit, rate, debounce } = tool.definition;
  const usualSize = (limit ?? rate ?? debounce) === undefined ? defaultQueueSize : limitedQueueSize;
  const { maxWorkers = usual, queueSize = usualSize } = tool.options.executorOpts ?? {};
  const retryAfter = tool.options.refreshInterval ?? defaultRefreshInterval;
  const order = tool.functions.order as LaneOptions["order"];
  return new Lane({ ...shared, maxRunning: maxWorkers, maxWaiting: queueSize, retryAfter, run, order });
}
