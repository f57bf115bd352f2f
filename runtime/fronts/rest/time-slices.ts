/** Milliseconds of work after which the event loop serves other work: each turn accepts one new connection. */
const slice = 0.25;

/**
 * Runs many small tasks in slices of a fraction of a millisecond, between which the event loop serves everything else.
 */
export class TimeSlices {
  #tasks: (() => void)[] = [];
  #isScheduled = false;

  /** Runs a task in the next slice that has room for it. The task must not throw. */
  add(task: () => void): void {
    this.#tasks.push(task);
    this.#schedule();
  }

  /** Resolves in the next slice that has room. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    const end = performance.now() + slice;
    const tasks = this.#tasks;
    this.#tasks = [];
    let at = 0;
    while (at < tasks.length && performance.now() < end) {
      tasks[at++]?.();
      // Waits for the write to the reader, which follows from the task, so that it counts in the same slice.
      await undefined;
    }
    // Remaining tasks come before those that were added meanwhile.
    this.#tasks = at < tasks.length ? [...tasks.slice(at), ...this.#tasks] : this.#tasks;
    this.#isScheduled = false;
    if (this.#tasks.length > 0) this.#schedule();
  }
}
