import type { ToolCounts } from "./job-counts.ts";

/** A number of jobs of one tool. */
export interface CountRow extends Pick<ToolCounts, "tool" | "waiting" | "running" | "dead"> {
  /** Time at which the first waiting job became claimable, in milliseconds since 1970; null if none waits. */
  readonly at: number | null;
}

/** Sums the rows by tool. @param now Milliseconds since 1970 */
export function toCounts(rows: readonly CountRow[], now: number): readonly ToolCounts[] {
  const sums = new Map<string, ToolCounts>();
  for (const { tool, waiting, running, dead, at } of rows) {
    const sum = sums.get(tool) ?? { tool, waiting: 0, running: 0, dead: 0, oldestWaiting: 0 };
    // 0: the job was stored by an earlier version, which did not write the time.
    const age = at === null || at === 0 ? 0 : Math.max(0, now - at) / 1000;
    sums.set(tool, {
      tool,
      waiting: sum.waiting + waiting,
      running: sum.running + running,
      dead: sum.dead + dead,
      oldestWaiting: Math.max(sum.oldestWaiting, age),
    });
  }
  return [...sums.values()];
}
