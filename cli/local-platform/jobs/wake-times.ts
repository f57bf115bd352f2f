import type { Parking } from "../../../runtime/job/steps/kept-step.ts";

/** Milliseconds; a job that is parked for longer is found when a worker asks. */
const longest = 3_600_000;

/** The seconds at which parked jobs go on, as far as they were parked by this process. */
export class WakeTimes {
  /** By `performance.now`, so at most one an hour's second however many jobs are parked. */
  readonly #seconds = new Set<number>();

  add({ delay, until }: Parking): void {
    const wait = delay ?? (until === undefined ? Infinity : until - Date.now());
    if (wait < longest) this.#seconds.add(Math.ceil((performance.now() + wait) / 1000));
  }

  /** True when the time of one has come since the last call. */
  areDue(): boolean {
    const now = performance.now() / 1000;
    const due = [...this.#seconds].filter((second) => second <= now);
    for (const second of due) this.#seconds.delete(second);
    return due.length > 0;
  }
}
