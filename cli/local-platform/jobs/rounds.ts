/** Milliseconds by which a timer may be late on a busy machine without sign of a pause. */
const usualDelay = 1000;

/**
 * Detects by the intervals of a timer that this process did not run for a while, because it was stopped or its machine
 * slept.
 */
export class Rounds {
  /** Milliseconds between two rounds. */
  readonly every: number;
  #last = performance.now();

  constructor(every: number) {
    this.every = every;
  }

  /**
   * Begins a round. Returns true when the previous round was so long ago that workers could not renew their leases
   * meanwhile.
   */
  begin(): boolean {
    const now = performance.now();
    const late = now - this.#last - this.every;
    this.#last = now;
    return late > Math.max(this.every, usualDelay);
  }
}
