import type { JobUrn } from "../../job/job.ts";
import type { ResultRequest } from "../../outside/platform/delivery/result-request.ts";

const maxCount = 1000;
const maxBytes = 16 * 1024 * 1024;

/** A result that was delivered, and the fingerprint of its job. */
export interface RecentResult {
  readonly fingerprint: string;
  readonly request: ResultRequest;
}

/**
 * Results that were delivered recently, in case the platform hands their jobs out again. The oldest are dropped first.
 */
export interface RecentResults {
  add(id: JobUrn, result: RecentResult): void;
  get(id: JobUrn): RecentResult | undefined;
}

/** A cache bounded by count and bytes. */
export function createRecentResults(count: number = maxCount, bytes: number = maxBytes): RecentResults {
  const results = new Map<JobUrn, RecentResult>();
  let size = 0;
  const drop = (id: JobUrn): void => {
    size -= results.get(id)?.request.body.byteLength ?? 0;
    results.delete(id);
  };
  return {
    get: (id) => results.get(id),
    add(id, result) {
      drop(id);
      results.set(id, result);
      size += result.request.body.byteLength;
      for (const [oldest] of results) {
        if (results.size <= count && size <= bytes) break;
        drop(oldest);
      }
    },
  };
}
