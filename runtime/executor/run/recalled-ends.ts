import type { StoredStep } from "../../job/steps/kept-step.ts";

interface Recall {
  readonly endedAt: number;
  readonly settle: () => Promise<void>;
}

/**
 * Settles stored steps, sleeps and waits that are asked for in one turn in the order in which they have ended, so that
 * `Promise.race` has the same winner in each attempt.
 */
export class RecalledEnds {
  #asked: Recall[] = [];

  /** @param read Returns the result of the step, or throws its error */
  recall<T>({ endedAt = 0 }: StoredStep, read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ endedAt, settle: () => read().then(resolve, reject) });
      if (this.#asked.length === 1) queueMicrotask(() => void this.#settle());
    });
  }

  async #settle(): Promise<void> {
    const asked = this.#asked.toSorted((one, other) => one.endedAt - other.endedAt);
    this.#asked = [];
    for (const { settle } of asked) await settle();
  }
}
