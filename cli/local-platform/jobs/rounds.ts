/** Milliseconds that a busy machine may keep a timer waiting. */
const usualDelay = 1000;

/** Notices between the rounds of a timer that this process did not run: it was stopped, or its machine slept. */
export class Rounds {
  /** Milliseconds between two rounds. */
  readonly every: number;
  #last = performance.now();

  constructor(every: number) {
    this.every = every;
  }

  /**
   * Begins a round. Returns true when the previous one was so long ago that another replica may have waited in vain.
   */
  begin(): boolean {
    const now = performance.now();
    const late = now - this.#last - this.every;
    this.#last = now;
    return late > Math.max(this.every, usualDelay);
  }
}
