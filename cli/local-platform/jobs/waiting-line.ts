/** Ways in which a wait ends: with a job; with a hint to poll again; by timeout; by a disconnect. */
export type WaitEnd<T> = { readonly given: T } | "woken" | "late" | "gone";

/** A waiting client. */
export interface Waiter<T> {
  /** Address of the client, for people. */
  readonly worker: string;
  readonly end: (how: WaitEnd<T>) => void;
}

/**
 * Clients that wait for jobs of one service, in order of arrival. A job wakes exactly one of them. The client leaves
 * the queue before it claims, so that no job is lost.
 */
export class WaitingLine<T> {
  readonly #waiters = new Set<Waiter<T>>();
  #missed = 0;

  /**
   * Number of jobs that came while no client waited. If this number has changed during a query, its empty result may be
   * outdated.
   */
  get missed(): number {
    return this.#missed;
  }

  /** Wakes the first client in the queue, when there may be a job. */
  wake(): void {
    this.take()?.end("woken");
  }

  wakeAll(): void {
    this.#missed++;
    for (const waiter of this.#waiters) waiter.end("woken");
  }

  /** Removes the first client from the queue; the caller must answer it soon. Undefined: no client waits. */
  take(): Waiter<T> | undefined {
    const [first] = this.#waiters;
    if (first === undefined) this.#missed++;
    else this.#waiters.delete(first);
    return first;
  }

  /** Waits for a job. `onGone` registers a function for a disconnect, and returns a function that removes it. */
  wait(worker: string, ms: number, onGone: (gone: () => void) => () => void): Promise<WaitEnd<T>> {
    return new Promise((resolve) => {
      const waiter: Waiter<T> = {
        worker,
        end: (how) => {
          this.#waiters.delete(waiter);
          clearTimeout(timer);
          stop();
          resolve(how);
        },
      };
      // Ends the wait of a client that is still in the queue. A client that was removed from the queue keeps waiting
      // for the job that was promised to it.
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
