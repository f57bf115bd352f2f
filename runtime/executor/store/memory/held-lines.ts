import { toHeld, type HeldOfKey, type HeldOfTool, type JobOfKey, type KeyQuery } from "../held-jobs.ts";
import type { Line } from "./limit-line.ts";
import type { LiveJob } from "./live-job.ts";

/** Tools with jobs that wait for their turn, and the keys with the longest queues. */
export interface HeldJobs {
  readonly tools: readonly HeldOfTool[];
  readonly keys: readonly HeldOfKey[];
}

/**
 * Lists tools and keys with waiting jobs.
 *
 * @param since Milliseconds since 1970 at which each job began to wait
 */
export function heldOf(lines: readonly Line[], since: WeakMap<LiveJob, number>, most: number): HeldJobs {
  const now = Date.now();
  const tools = new Map<string, HeldOfTool>();
  const keys = lines.flatMap(({ key, waiting }) => {
    const [first] = waiting;
    if (first === undefined) return [];
    const { tool } = first.job;
    const line = toHeld({ key, tool, held: waiting.size, since: since.get(first) ?? now }, now);
    const sum = tools.get(tool) ?? { tool, held: 0, oldestHeld: 0 };
    const oldestHeld = Math.max(sum.oldestHeld, line.oldestHeld);
    tools.set(tool, { tool, held: sum.held + line.held, oldestHeld });
    return [line];
  });
  return { tools: [...tools.values()], keys: keys.toSorted((a, b) => b.held - a.held).slice(0, most) };
}

/**
 * Lists the jobs of a key.
 *
 * @param absent Parked or delayed jobs of all keys, which count as admitted
 */
export function jobsOf(
  { key, which, most, of }: KeyQuery,
  line: Line | undefined,
  absent: Iterable<LiveJob>,
): readonly JobOfKey[] {
  const away = [...absent].filter(({ job }) => job.limit?.key === key);
  const all = which === "held" ? [...(line?.waiting ?? [])] : [...(line?.placed ?? []), ...away];
  const wanted = all.filter(({ job }) => of === undefined || job.owner === of.owner);
  return wanted.slice(0, most).map(({ job: { id, owner } }) => ({ id, ...(owner !== undefined && { owner }) }));
}
