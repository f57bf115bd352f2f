/** Maximum milliseconds of a remembered delay. Jobs with a longer delay are found by the periodic work on the store. */
const longest = 3_600_000;

/** Times at which parked or delayed jobs become claimable again. */
export class Wakes {
  readonly #now: () => number;
  readonly #times = new Set<number>();
  #first = Infinity;

  /**
   * Creates an empty list.
   *
   * @param now Clock of a test; default: the clock of the process, which is sufficient for delays
   */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds until the first time; `Infinity` if there is none. */
  get wait(): number {
    return this.#first === Infinity ? Infinity : Math.max(0, this.#first - this.#now());
  }

  /** Records that a job was parked or delayed. `delay`: milliseconds until it becomes claimable again. */
  add(delay: number): void {
    if (delay > longest) return;
    const at = Math.ceil(this.#now() + Math.max(0, delay));
    this.#times.add(at);
    this.#first = Math.min(this.#first, at);
  }

  /** True when a time has passed that was not reported yet. */
  come(): boolean {
    if (this.wait > 0) return false;
    const now = this.#now();
    this.#first = Infinity;
    for (const at of this.#times) {
      if (at <= now) this.#times.delete(at);
      else this.#first = Math.min(this.#first, at);
    }
    return true;
  }
}
