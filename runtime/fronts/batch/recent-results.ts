import type { JobUrn } from "../../job/job.ts";
import type { ResultRequest } from "../../outside/platform/delivery/result-request.ts";

const maxCount = 1000;
const maxBytes = 16 * 1024 * 1024;

/**
 * Results that were delivered recently, in case the platform hands their jobs out again. The oldest are dropped first.
 */
export interface RecentResults {
  add(id: JobUrn, request: ResultRequest): void;
  get(id: JobUrn): ResultRequest | undefined;
}

/** A cache bounded by count and bytes. */
export function createRecentResults(count: number = maxCount, bytes: number = maxBytes): RecentResults {
  const requests = new Map<JobUrn, ResultRequest>();
  let size = 0;
  const drop = (id: JobUrn): void => {
    size -= requests.get(id)?.body.byteLength ?? 0;
    requests.delete(id);
  };
  return {
    get: (id) => requests.get(id),
    add(id, request) {
      drop(id);
      requests.set(id, request);
      size += request.body.byteLength;
      for (const [oldest] of requests) {
        if (requests.size <= count && size <= bytes) break;
        drop(oldest);
      }
    },
  };
}
