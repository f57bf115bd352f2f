/** Milliseconds; what comes back later is found by the periodic work on the store. */
const longest = 3_600_000;

/** Times at which jobs come back that have left this process. */
export class Wakes {
  readonly #now: () => number;
  readonly #times = new Set<number>();
  #first = Infinity;

  /** @param now The time of a test; otherwise the process's own: a delay is the same by every clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds until the first of them; `Infinity` for none. */
  get wait(): number {
    return this.#first === Infinity ? Infinity : Math.max(0, this.#first - this.#now());
  }

  /** Called when a job has left for some milliseconds. */
  add(delay: number): void {
    if (delay > longest) return;
    const at = Math.ceil(this.#now() + Math.max(0, delay));
    this.#times.add(at);
    this.#first = Math.min(this.#first, at);
  }

  /** True once for each time that has come. */
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
