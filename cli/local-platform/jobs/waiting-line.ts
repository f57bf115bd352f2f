/** How a wait ended: with what came; there may be something to ask for; the time is over; whoever waited has gone. */
export type WaitEnd<T> = { readonly given: T } | "woken" | "late" | "gone";

interface Waiter<T> {
  readonly end: (how: WaitEnd<T>) => void;
}

/**
 * Those who wait for jobs of one service, first come first served. A job wakes exactly one of them: the one that is
 * woken has left the line before it asks, so that no job is given to nobody.
 */
export class WaitingLine<T> {
  readonly #waiters = new Set<Waiter<T>>();
  #missed = 0;

  /** Counts the jobs that came while nobody waited; a change tells that an empty answer may be out of date. */
  get missed(): number {
    return this.#missed;
  }

  /** A job may be there: tells the first in the line. */
  wake(): void {
    this.take()?.("woken");
  }

  wakeAll(): void {
    this.#missed++;
    for (const waiter of this.#waiters) waiter.end("woken");
  }

  /** Takes the first out of the line, who must be told something soon; undefined: nobody waits. */
  take(): ((how: { readonly given: T } | "woken") => void) | undefined {
    const [first] = this.#waiters;
    if (first === undefined) this.#missed++;
    else this.#waiters.delete(first);
    return first?.end;
  }

  /** Waits for a job. `onGone` gets a function to call when whoever waits has gone, and returns how to stop that. */
  wait(ms: number, onGone: (gone: () => void) => () => void): Promise<WaitEnd<T>> {
    return new Promise((resolve) => {
      const waiter: Waiter<T> = {
        end: (how) => {
          this.#waiters.delete(waiter);
          clearTimeout(timer);
          stop();
          resolve(how);
        },
      };
      // Who was taken out of the line waits for the answer that was promised.
      const leave = (how: "late" | "gone"): void => {
        if (this.#waiters.has(waiter)) waiter.end(how);
      };
      this.#waiters.add(waiter);
      const timer = setTimeout(leave, ms, "late");
      const stop = onGone(() => leave("gone"));
    });
  }

  /** Ends every wait. */
  close(): void {
    for (const waiter of this.#waiters) waiter.end("late");
  }
}
