import type { CurrentJob } from "../../job/current-job.ts";
import type { StoredMessage } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { startTimer } from "./long-timer.ts";

/** Milliseconds for which a job waits in its process; for longer waits it leaves the process. */
const longestHere = 60_000;

/** A wait that has begun and has not ended. */
interface Wait {
  readonly book: StepBook;
  /** Time of `performance.now` at which the wait ends. */
  readonly end: number;
  /** Name of the message that is waited for; undefined if only time has to pass. */
  readonly message: string | undefined;
  /** Stops the timer and the listeners, so that the wait never settles. */
  readonly drop: () => void;
}

/**
 * Decides when a job leaves its process: when none of its calls of a step, sleep or wait runs, all of them wait, and
 * each wait is long. A call runs from its first moment to its last one, except while {@link until} waits for it. There
 * is one decision for all runs of a job's function, since steps of a failed run may still run in the next one.
 */
export class Departure {
  readonly #job: CurrentJob;
  readonly #waits = new Set<Wait>();
  #isCheckDue = false;
  #run = 1;

  constructor(job: CurrentJob) {
    this.#job = job;
  }

  /** Number of the run of the job's function in this process. */
  get run(): number {
    return this.#run;
  }

  /** Keeps the job in its process during a call. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#begun();
    try {
      return await call();
    } finally {
      this.ended();
    }
  }

  /** Called when a part of the job that `busy` counts has ended. */
  ended(): void {
    const busy = (this.#job.busy ?? 0) - 1;
    this.#job.busy = busy;
    if (busy > 0 || this.#waits.size === 0) return;
    this.#job.idle?.(true);
    if (this.#isCheckDue) return;
    this.#isCheckDue = true;
    // The code that awaits the call may begin another one in this turn of the event loop.
    setImmediate(() => {
      this.#isCheckDue = false;
      this.#leave();
    });
  }

  /** Ends a run of the function that has failed: its waits never settle, and begin no other code. */
  endRun(): void {
    this.#run += 1;
    this.#dropAll();
  }

  /**
   * Waits until the stored time of a step, sleep or wait, or for a message; the caller has to be counted as running.
   * Resolves with the message if it arrives earlier. Never settles when the job leaves the process, or when the run
   * has failed.
   */
  async until(run: number, book: StepBook, key: string, message?: string): Promise<StoredMessage | undefined> {
    const left = await book.left(key);
    const { signal } = this.#job;
    signal.throwIfAborted();
    if (run !== this.#run) {
      this.ended();
      return new Promise(() => {});
    }
    if (left <= 0) return undefined;
    return new Promise((resolve, reject) => {
      let stopTimer = (): void => {};
      let stopListening = (): void => {};
      const drop = (): void => {
        stopTimer();
        stopListening();
        signal.removeEventListener("abort", stop);
      };
      const settle = (): void => {
        drop();
        this.#waits.delete(wait);
        this.#begun();
      };
      const stop = (): void => {
        settle();
        reject(signal.reason as Error);
      };
      const over = (): void => {
        settle();
        resolve(undefined);
      };
      const wait: Wait = { book, end: performance.now() + left, message, drop };
      this.#waits.add(wait);
      this.ended();
      signal.addEventListener("abort", stop, { once: true });
      if (left < Infinity) stopTimer = startTimer(left, over);
      if (message === undefined) return;
      const check = (): void => {
        const found = book.message(message);
        if (found === undefined) return;
        settle();
        resolve(found);
      };
      stopListening = book.onMessage(check);
      // The message may have arrived before the listener was added.
      check();
    });
  }

  #begun(): void {
    this.#job.busy = (this.#job.busy ?? 0) + 1;
    this.#job.idle?.(false);
  }

  #leave(): void {
    const waits = [...this.#waits];
    const book = waits[0]?.book;
    if (book?.park === undefined || (this.#job.busy ?? 0) > 0) return;
    const first = Math.min(...waits.map(({ end }) => end)) - performance.now();
    if (first <= longestHere) return;
    // The job continues in another attempt, so its waits must not end here.
    this.#dropAll();
    book.park({
      waits: waits.flatMap(({ message }) => message ?? []),
      ...(first < Infinity && { delay: Math.round(first) }),
    });
  }

  #dropAll(): void {
    for (const { drop } of this.#waits) drop();
    this.#waits.clear();
  }
}

/** Returns the object that decides when a job leaves its process, the same one for each call. */
export function departureOf(job: CurrentJob): Departure {
  if (job.departure instanceof Departure) return job.departure;
  const departure = new Departure(job);
  job.departure = departure;
  return departure;
}
