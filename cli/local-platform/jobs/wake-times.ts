import type { Parking } from "../../../runtime/job/steps/kept-step.ts";

/** Milliseconds; a job that is parked for longer needs no entry, since it is found when a worker polls. */
const longest = 3_600_000;

/** Times, in seconds, at which jobs that this process has parked are due. */
export class WakeTimes {
  /**
   * Seconds of `performance.now`. Since only whole seconds of the next hour are stored, the set stays small however
   * many jobs are parked.
   */
  readonly #seconds = new Set<number>();

  add({ delay, until }: Parking): void {
    const wait = delay ?? (until === undefined ? Infinity : until - Date.now());
    if (wait < longest) this.#seconds.add(Math.ceil((performance.now() + wait) / 1000));
  }

  /** True when a time has passed since the last call. */
  areDue(): boolean {
    const now = performance.now() / 1000;
    const due = [...this.#seconds].filter((second) => second <= now);
    for (const second of due) this.#seconds.delete(second);
    return due.length > 0;
  }
}
