import type { JobEvent } from "../../../job/job.ts";
import { roughSize } from "../../../job/rough-size.ts";

/** Share of the capacity for progress events; the rest is reserved for steps and errors, which matter more. */
const progressShare = 0.9;

/** Amount of events, waiting or allowed to wait. */
export interface EventAmount {
  readonly count: number;
  /** Characters of their JSON, approximately. */
  readonly size: number;
}

/** Measures the waiting events of all jobs against a limit of their number and of their size. */
export class EventRoom {
  readonly #capacity: EventAmount;
  #count = 0;
  #size = 0;

  constructor(capacity: EventAmount) {
    this.#capacity = capacity;
  }

  /** Reserves room for an event. Returns its size, undefined when the limit for its kind is reached. */
  take(body: JobEvent["body"]): number | undefined {
    const share = isProgress(body) ? progressShare : 1;
    const size = roughSize(body);
    if (this.#count >= this.#capacity.count * share) return undefined;
    if (this.#size + size > this.#capacity.size * share) return undefined;
    this.#count++;
    this.#size += size;
    return size;
  }

  /** Releases reserved room. */
  free({ count, size }: EventAmount): void {
    this.#count -= count;
    this.#size -= size;
  }
}

function isProgress({ $schema }: JobEvent["body"]): boolean {
  return typeof $schema === "string" && !/\.(?:step\.(?:start|finish|error)|error)\.1$/.test($schema);
}
