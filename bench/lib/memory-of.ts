import { existsSync, readFileSync } from "node:fs";

/**
 * Megabytes that a process and all that it started take now: what several of them share counts once. NaN where there is
 * no `/proc`.
 */
export function memoryOf(pid: number): number {
  const own = `/proc/${pid}`;
  if (!existsSync(`${own}/smaps_rollup`)) return Number.NaN;
  const kilobytes = Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`${own}/smaps_rollup`, "utf8"))?.[1]);
  const children = readFileSync(`${own}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + memoryOf(child), kilobytes / 1024);
}

/** Megabytes of the most memory that a process alone has held. NaN where there is no `/proc`. */
export function peakOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8"))?.[1]) / 1024;
}
