import type { JobUrn } from "../../job/job.ts";
import type { ResultParcel } from "../../outside/platform/delivery/result-parcel.ts";

const maxCount = 1000;
const maxBytes = 16 * 1024 * 1024;

/** Results that were delivered recently, for jobs that the platform gives again. The oldest are dropped first. */
export interface RecentResults {
  add(id: JobUrn, parcel: ResultParcel): void;
  get(id: JobUrn): ResultParcel | undefined;
}

/** A cache bounded by count and bytes. */
export function createRecentResults(count: number = maxCount, bytes: number = maxBytes): RecentResults {
  const parcels = new Map<JobUrn, ResultParcel>();
  let size = 0;
  const drop = (id: JobUrn): void => {
    size -= parcels.get(id)?.body.byteLength ?? 0;
    parcels.delete(id);
  };
  return {
    get: (id) => parcels.get(id),
    add(id, parcel) {
      drop(id);
      parcels.set(id, parcel);
      size += parcel.body.byteLength;
      for (const [oldest] of parcels) {
        if (parcels.size <= count && size <= bytes) break;
        drop(oldest);
      }
    },
  };
}
