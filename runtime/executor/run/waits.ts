import type { KeptCodec } from "../../contract/contract.ts";
import type { CurrentJob } from "../../job/current-job.ts";
import { sleepPrefix, stepKey, waitPrefix } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { WaitTimeoutError } from "../../job/steps/step-errors.ts";
import { checkCodec, checkKey, outdated } from "./kept-rules.ts";
import { readKept } from "./kept-value.ts";
import { millisecondsOf, type Duration } from "./time-of.ts";

/** Options of `job.sleep`. */
export interface SleepOptions {
  /** Name that distinguishes several sleeps of a function; default: their order. */
  readonly name?: string;
}

/** Options of `job.wait`. */
export interface MessageOptions {
  /** Key for a wait in a loop; the sender of the message must give the same key. */
  readonly key?: string | number;
  /** Time after which {@link WaitTimeoutError} is thrown, such as `3 days`; default: no limit. */
  readonly within?: Duration;
  /** Scope that the sender's token needs, where callers are authenticated. */
  readonly scope?: string;
}

/** Milliseconds for which a job waits in its process; for longer waits it leaves the process. */
const longestHere = 60_000;
/** Maximum delay of a timer. */
const longestTimer = 2 ** 31 - 1;

interface Parts {
  readonly use: (key: string) => string;
  readonly book: () => Promise<StepBook>;
}

/** A sleep, or a wait for a message, that has not ended. */
interface Pending {
  /** Time of `performance.now` at which the wait ends. */
  readonly end: number;
  readonly key: string;
  /** Name of the message that is waited for; undefined for a sleep. */
  readonly message: string | undefined;
}

/** The waits in one attempt of a job: they last up to a minute in the process; after that the job is parked. */
export class Waits {
  readonly #job: CurrentJob;
  readonly #parts: Parts;
  readonly #pending = new Set<Pending>();
  #hasLeft = false;
  #isLookDue = false;
  #sleeps = 0;
  /** Number of running steps. */
  #running = 0;

  constructor(job: CurrentJob, parts: Parts) {
    this.#job = job;
    this.#parts = parts;
  }

  /** Called when a step begins: the job must not leave the process while the step runs. */
  begun(): void {
    this.#running += 1;
  }

  ended(): void {
    this.#running -= 1;
    if (this.#running === 0 && this.#pending.size > 0) this.#leaveSoon();
  }

  async sleep(time: Duration | Date, { name }: SleepOptions): Promise<void> {
    this.#sleeps += 1;
    const key = this.#parts.use(sleepPrefix + (name ?? String(this.#sleeps)));
    const end = endOf(time);
    this.#job.signal.throwIfAborted();
    const book = await this.#parts.book();
    if (book.known.get(key)?.state === "done") return;
    if (!book.known.has(key)) await book.keep({ key, state: "running", tries: 0, fingerprint: "", ...end });
    await this.#until(book, key, undefined);
    await book.keep({ key, state: "done", tries: 0, fingerprint: "" });
  }

  async wait(name: string, options: MessageOptions, codec: KeptCodec | undefined): Promise<unknown> {
    const known = checkCodec(codec, `job.wait(${JSON.stringify(name)}, …)`);
    const message = stepKey(name, checkKey(options.key));
    const key = this.#parts.use(waitPrefix + message);
    const within = options.within === undefined ? undefined : millisecondsOf(options.within, "within");
    this.#job.signal.throwIfAborted();
    const book = await this.#parts.book();
    const row = book.known.get(key);
    if (row?.state === "failed") throw new WaitTimeoutError(message);
    const { fingerprint } = known;
    if (row === undefined)
      await book.keep({ key, state: "running", tries: 0, fingerprint, ...(within !== undefined && { delay: within }) });
    const body = row?.state === "done" ? row.value : await this.#message(book, key, message, fingerprint);
    if (body === undefined && row?.state !== "done") throw new WaitTimeoutError(message);
    const read = await readKept(known, body);
    if ("value" in read) return read.value;
    throw outdated(this.#job, `the message ${message}`, read.reason);
  }

  /** Waits until the stored time of a step or sleep. */
  async untilDue(book: StepBook, key: string): Promise<void> {
    // A step that waits for its next attempt does not count as running.
    this.#running -= 1;
    try {
      await this.#until(book, key, undefined);
    } finally {
      this.#running += 1;
    }
  }

  async #message(book: StepBook, key: string, message: string, fingerprint: string): Promise<string | undefined> {
    const found = book.message(message) ?? (await this.#until(book, key, message));
    const fields = { key, tries: 0, fingerprint };
    if (found === undefined) await book.keep({ ...fields, state: "failed", error: { kind: "timeout", message: "" } });
    else await book.keep({ ...fields, state: "done", value: found.body });
    return found?.body;
  }

  /**
   * Resolves at the end of a wait, or with the message if it arrives earlier. Never settles when the job leaves the
   * process.
   */
  async #until(
    book: StepBook,
    key: string,
    message: string | undefined,
  ): Promise<{ readonly body: string } | undefined> {
    const left = await book.left(key);
    if (left <= 0) return undefined;
    const pending: Pending = { end: performance.now() + left, key, message };
    this.#pending.add(pending);
    const { signal } = this.#job;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let stopListening = (): void => {};
      const settle = (): void => {
        clearTimeout(timer);
        stopListening();
        signal.removeEventListener("abort", stop);
        this.#pending.delete(pending);
      };
      const stop = (): void => {
        settle();
        // If the job has left the process, it continues in another attempt, so its waits must not end here.
        if (!this.#hasLeft) reject(signal.reason as Error);
      };
      const over = (): void => {
        settle();
        resolve(undefined);
      };
      const look = (): void => {
        const found = message === undefined ? undefined : book.message(message);
        if (found === undefined) return;
        settle();
        resolve(found);
      };
      signal.addEventListener("abort", stop, { once: true });
      const run = (): void => {
        const rest = pending.end - performance.now();
        timer = rest > longestTimer ? setTimeout(run, longestTimer) : setTimeout(over, Math.max(0, rest));
      };
      if (left < Infinity) run();
      if (message !== undefined) stopListening = book.onMessage(look);
      this.#leaveSoon();
    });
  }

  /** Leaves the process after this turn of the event loop, if no code of the job runs and each of its waits is long. */
  #leaveSoon(): void {
    if (this.#isLookDue) return;
    this.#isLookDue = true;
    setImmediate(() => {
      this.#isLookDue = false;
      void this.#leave();
    });
  }

  async #leave(): Promise<void> {
    const book = await this.#parts.book();
    if (book.park === undefined || this.#running > 0 || this.#pending.size === 0 || this.#hasLeft) return;
    const pending = [...this.#pending];
    const first = Math.min(...pending.map(({ end }) => end)) - performance.now();
    if (first <= longestHere) return;
    this.#hasLeft = true;
    book.park({
      waits: pending.flatMap(({ message }) => message ?? []),
      ...(first < Infinity && { delay: Math.round(first) }),
    });
  }
}

function endOf(time: Duration | Date): { readonly delay: number } | { readonly until: number } {
  if (!(time instanceof Date)) return { delay: millisecondsOf(time, "sleep") };
  if (Number.isNaN(time.getTime())) throw new TypeError("sleep: the Date is not valid.");
  return { until: time.getTime() };
}
