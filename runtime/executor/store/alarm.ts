/** The longest delay of a timer. */
const longest = 2 ** 31 - 1;

/** One timer, for the next time at which a job may start that could not before. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** By `performance.now`. */
  #at = Infinity;

  /** @param closed Ends it. */
  constructor(ring: () => void, closed?: AbortSignal) {
    this.#ring = ring;
    closed?.addEventListener("abort", () => this.stop());
  }

  /** Rings after some milliseconds, unless it rings before that. It may ring too early, when that is far away. */
  set(wait: number): void {
    const at = performance.now() + wait;
    // A timer is exact to a millisecond.
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
