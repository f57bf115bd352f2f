import type { JobUrn } from "../../../job/job.ts";
import type { TellsHeld } from "../held-jobs.ts";
import type { JobStore } from "../job-store.ts";
import type { CountsWaiting } from "./count-waiting.ts";
import type { MemoryParts } from "./limit-parts.ts";
import type { LiveJob } from "./live-job.ts";
import { LiveJobs } from "./live-jobs.ts";
import { changed, MemoryLimits, type Changed } from "./memory-limits.ts";

type LimitableStore = JobStore & CountsWaiting & Partial<TellsHeld> & { hasLimits?: true };

/**
 * Adds limits and head starts to a memory store by replacing some of its methods. A job above the limit of its key
 * cannot be claimed until another job of the key ends. This module is loaded with the first job that needs it.
 *
 * @returns What the store uses as `live` from now on
 */
export function addLimits(store: LimitableStore, parts: MemoryParts): Map<JobUrn, LiveJob> {
  if (store.hasLimits === true) return parts.live;
  store.hasLimits = true;
  const entries = changed.map((name) => [name, store[name].bind(store)] as const);
  const live = new LiveJobs(parts.live);
  const limits = new MemoryLimits(Object.fromEntries(entries) as unknown as Changed, { ...parts, live, store });
  store.heldJobs = (keys) => limits.heldJobs(keys);
  store.jobsOfKey = (query) => limits.jobsOfKey(query);
  for (const name of changed) store[name] = limits[name].bind(limits) as never;
  return live;
}
