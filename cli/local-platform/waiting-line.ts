/** How a wait ended: there may be a job; the time is over; whoever waited has gone. */
type WaitEnd = "woken" | "late" | "gone";

interface Waiter {
  readonly end: (how: WaitEnd) => void;
}

/**
 * Those who wait for jobs of one service, first come first served. A job wakes exactly one of them: the one that is
 * woken has left the line before it asks, so that no job is given to nobody.
 */
export class WaitingLine {
  readonly #waiters = new Set<Waiter>();
  #missed = 0;

  /** Counts the jobs that came while nobody waited; a change tells that an empty answer may be out of date. */
  get missed(): number {
    return this.#missed;
  }

  /** A job may be there: tells the first in the line. */
  wake(): void {
    const [first] = this.#waiters;
    if (first === undefined) this.#missed++;
    else first.end("woken");
  }

  wakeAll(): void {
    this.#missed++;
    for (const waiter of this.#waiters) waiter.end("woken");
  }

  /** Waits for a job. `onGone` gets a function to call when whoever waits has gone, and returns how to stop that. */
  wait(ms: number, onGone: (gone: () => void) => () => void): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        end: (how) => {
          if (!this.#waiters.delete(waiter)) return;
          clearTimeout(timer);
          stop();
          resolve(how);
        },
      };
      this.#waiters.add(waiter);
      const timer = setTimeout(() => waiter.end("late"), ms);
      const stop = onGone(() => waiter.end("gone"));
    });
  }

  /** Ends every wait. */
  close(): void {
    for (const waiter of this.#waiters) waiter.end("late");
  }
}
