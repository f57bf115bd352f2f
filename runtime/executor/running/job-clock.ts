import { ToolError } from "../../base/errors.ts";

/** The clock of `@timeout`, which runs while the function of the job does, and not while it waits. */
export class JobClock {
  readonly #timeout: number;
  readonly #late: (error: ToolError) => void;
  /** Remaining milliseconds of the timeout. */
  #left: number;
  #started = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Starts the clock.
   *
   * @param timeout Milliseconds; a longer job ends with the error that is passed to `late`
   */
  constructor(timeout: number, late: (error: ToolError) => void) {
    this.#timeout = timeout;
    this.#left = timeout;
    this.#late = late;
    this.start();
  }

  start(): void {
    if (this.#timer !== undefined) return;
    this.#started = performance.now();
    this.#timer = setTimeout(() => {
      this.#late(new ToolError("timeout", `The tool did not finish within ${this.#timeout} ms.`));
    }, this.#left);
  }

  pause(): void {
    if (this.#timer === undefined) return;
    this.stop();
    this.#left = Math.max(1, this.#left - (performance.now() - this.#started));
  }

  /** Gives the next run of the function the whole time; the clock stands still until `start`. */
  reset(): void {
    this.stop();
    this.#left = this.#timeout;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
