/** Milliseconds by which a timer may be late on a busy machine. */
const usualDelay = 1000;

/**
 * Detects, between the rounds of a timer, that this process did not run, because it was stopped or its machine slept.
 */
export class Rounds {
  /** Milliseconds between two rounds. */
  readonly every: number;
  #last = performance.now();

  constructor(every: number) {
    this.every = every;
  }

  /**
   * Begins a round. Returns true when the previous round was so long ago that workers may have tried in vain to renew
   * leases.
   */
  begin(): boolean {
    const now = performance.now();
    const late = now - this.#last - this.every;
    this.#last = now;
    return late > Math.max(this.every, usualDelay);
  }
}
