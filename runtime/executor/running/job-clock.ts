import { ToolError } from "../../base/errors.ts";

/** A reason for which the time of a job stands still: its client is asked, its function waits, or a try has failed. */
export type Pause = "asks" | "waits" | "failed";

/** The clock of `@timeout`, which runs while the function of the job does, and not while it waits. */
export class JobClock {
  readonly #timeout: number;
  readonly #late: (error: ToolError) => void;
  readonly #pauses = new Set<Pause>();
  #left: number;
  #started = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /**
   * Starts the clock.
   *
   * @param timeout Milliseconds of running time
   * @param late Called once this time has passed
   */
  constructor(timeout: number, late: (error: ToolError) => void) {
    this.#timeout = timeout;
    this.#late = late;
    this.#left = timeout;
    this.#start();
  }

  set(pause: Pause, isPaused: boolean): void {
    if (isPaused) {
      this.#pauses.add(pause);
      this.#halt();
    } else {
      this.#pauses.delete(pause);
      this.#start();
    }
  }

  /** Gives the next run of the function the whole time. */
  restart(): void {
    this.#halt();
    this.#left = this.#timeout;
    this.#pauses.delete("waits");
    this.set("failed", false);
  }

  /** Stops the clock for good. */
  stop(): void {
    this.#isOver = true;
    this.#halt();
  }

  #start(): void {
    if (this.#timer !== undefined || this.#pauses.size > 0 || this.#isOver) return;
    this.#started = performance.now();
    this.#timer = setTimeout(() => {
      this.#late(new ToolError("timeout", `The tool did not finish within ${this.#timeout} ms.`));
    }, this.#left);
  }

  #halt(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Math.max(1, this.#left - (performance.now() - this.#started));
  }
}
