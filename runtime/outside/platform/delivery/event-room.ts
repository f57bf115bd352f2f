import type { JobEvent } from "../../../job/job.ts";

/** Share of the capacity for progress events; the rest is reserved for steps and errors, which matter more. */
const progressShare = 0.9;

/** Counts the waiting events of all jobs against a limit. */
export class EventRoom {
  readonly #capacity: number;
  #taken = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Reserves room for an event; false when the limit for its kind is reached. */
  take(body: JobEvent["body"]): boolean {
    if (this.#taken >= (isProgress(body) ? this.#capacity * progressShare : this.#capacity)) return false;
    this.#taken++;
    return true;
  }

  /** Releases reserved room. */
  free(events: number): void {
    this.#taken -= events;
  }
}

function isProgress({ $schema }: JobEvent["body"]): boolean {
  return typeof $schema === "string" && !/\.(?:step\.(?:start|finish|error)|error)\.1$/.test($schema);
}
