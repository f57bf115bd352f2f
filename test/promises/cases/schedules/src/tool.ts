import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JobContext } from "tenon";

/** Threads of a process have modules of their own, and share a file beside the built one. */
const file = join(import.meta.dirname, `fired-${process.pid}`);

/** Notes once that it was called.
 * @tool
 * @schedule "* * * * * *" {"mark": "by itself"}
 * @param mark What the schedule says. */
export function noteFiring(mark: string, job: JobContext): void {
  if (!existsSync(file)) writeFileSync(file, JSON.stringify([mark, job.origin, job.caller ?? null, job.jobId]));
}

/** Waits for the schedule.
 * @tool
 * @returns What it noted. */
export async function untilFired(): Promise<string> {
  while (!existsSync(file)) await sleep(50);
  return readFileSync(file, "utf8");
}
