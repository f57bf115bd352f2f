import type { JsonObject } from "../../contract/contract.ts";
import type { ToolCounts } from "./job-counts.ts";

/** Numbers of jobs of one tool, or of all tools together. */
export type QueueFigures = Omit<ToolCounts, "tool">;

export const noFigures: QueueFigures = { waiting: 0, running: 0, dead: 0, oldestWaiting: 0 };

/** A service, and the numbers of jobs of each of its tools. */
export interface ServiceQueue {
  readonly key: string;
  /** Numbers of all jobs; default: the sum over the tools. */
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
          ...shown(sums[index] ?? noFigures),
          tools: Object.fromEntries(tools.map((figures) => [figures.tool, shown(figures)])),
        },
      ]),
    ),
  };
}

function sumOf(list: readonly QueueFigures[]): QueueFigures {
  return list.reduce(
    (sum, { waiting, running, dead, oldestWaiting, held = 0, oldestHeld = 0 }) => ({
      waiting: sum.waiting + waiting,
      running: sum.running + running,
      dead: sum.dead + dead,
      oldestWaiting: Math.max(sum.oldestWaiting, oldestWaiting),
      ...(held > 0 && { held: (sum.held ?? 0) + held, oldestHeld: Math.max(sum.oldestHeld ?? 0, oldestHeld) }),
      ...(held === 0 && sum.held !== undefined && { held: sum.held, oldestHeld: sum.oldestHeld ?? 0 }),
    }),
    noFigures,
  );
}

function shown({ waiting, running, dead, oldestWaiting, held, oldestHeld = 0 }: QueueFigures): JsonObject {
  return {
    waiting,
    running,
    "oldest-waiting-seconds": inMilliseconds(oldestWaiting),
    dead,
    ...(held !== undefined && { held, "oldest-held-seconds": inMilliseconds(oldestHeld) }),
  };
}

function inMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
