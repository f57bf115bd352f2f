import type { JobEvent } from "../../../job/job.ts";

/** Part of the room that progress may fill; the rest is for steps and errors, which matter more. */
const progressShare = 0.9;

/** How many events of all jobs may wait. */
export class EventRoom {
  readonly #capacity: number;
  #taken = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Takes a place for an event; false: there is none for one of its kind. */
  take(body: JobEvent["body"]): boolean {
    if (this.#taken >= (isProgress(body) ? this.#capacity * progressShare : this.#capacity)) return false;
    this.#taken++;
    return true;
  }

  /** So many wait no longer. */
  free(events: number): void {
    this.#taken -= events;
  }
}

function isProgress({ $schema }: JobEvent["body"]): boolean {
  return typeof $schema === "string" && !/\.(?:step\.(?:start|finish|error)|error)\.1$/.test($schema);
}
