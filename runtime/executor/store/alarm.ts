/** The longest delay of a timer. */
const longest = 2 ** 31 - 1;

/** A single timer, for the next time at which a waiting job may start. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Time of `performance.now` at which the alarm rings. */
  #at = Infinity;

  /**
   * Creates an alarm.
   *
   * @param closed Signal that stops the alarm for good.
   */
  constructor(ring: () => void, closed?: AbortSignal) {
    this.#ring = ring;
    closed?.addEventListener("abort", () => this.stop());
  }

  /**
   * Sets the alarm to ring after some milliseconds, unless it rings earlier anyway. If the time is far away, it may
   * ring too early.
   */
  set(wait: number): void {
    const at = performance.now() + wait;
    // Smaller differences are ignored, since a timer is exact to a millisecond.
    if (!(at < this.#at - 1)) return;
    clearTimeout(this.#timer);
    this.#at = at;
    const ring = (): void => {
      this.#at = Infinity;
      this.#ring();
    };
    this.#timer = setTimeout(ring, Math.min(Math.ceil(Math.max(0, wait)) + 1, longest)).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = -Infinity;
  }
}
