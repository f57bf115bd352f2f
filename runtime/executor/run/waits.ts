import type { KeptCodec } from "../../contract/contract.ts";
import type { CurrentJob } from "../../job/current-job.ts";
import { sleepPrefix, stepKey, waitPrefix, type StoredMessage, type StoredStep } from "../../job/steps/kept-step.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { WaitTimeoutError } from "../../job/steps/step-errors.ts";
import type { Departure } from "./departure.ts";
import { checkCodec, checkKey, outdated } from "./kept-rules.ts";
import { readKept } from "./kept-value.ts";
import type { RecalledEnds } from "./recalled-ends.ts";
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

interface Parts {
  readonly departure: Departure;
  readonly recalled: RecalledEnds;
  readonly use: (key: string) => string;
  readonly book: () => Promise<StepBook>;
}

/** The sleeps and waits in one run of a job's function. */
export class Waits {
  readonly #job: CurrentJob;
  readonly #parts: Parts;
  /** Number of the run to which these waits belong. */
  readonly #run: number;
  #sleeps = 0;

  constructor(job: CurrentJob, parts: Parts) {
    this.#job = job;
    this.#parts = parts;
    this.#run = parts.departure.run;
  }

  /** Keeps the job in its process during a call. In a failed run, the call does not begin and never settles. */
  during<T>(call: () => Promise<T>): Promise<T> {
    const { departure } = this.#parts;
    return this.#run === departure.run ? departure.during(call) : new Promise(() => {});
  }

  /** Waits as {@link Departure.until} does, as long as the run goes on. */
  until(book: StepBook, key: string, message?: string): Promise<StoredMessage | undefined> {
    return this.#parts.departure.until(this.#run, book, key, message);
  }

  async sleep(time: Duration | Date, { name }: SleepOptions): Promise<void> {
    this.#sleeps += 1;
    const { use, book: open, recalled } = this.#parts;
    const key = use(sleepPrefix + (name ?? String(this.#sleeps)));
    const end = endOf(time);
    this.#job.signal.throwIfAborted();
    return this.during(async () => {
      const book = await open();
      const row = book.known.get(key);
      if (row?.state === "done") return recalled.recall(row, () => Promise.resolve());
      if (row === undefined) await book.keep({ key, state: "running", tries: 0, fingerprint: "", ...end });
      await this.until(book, key);
      await book.keep({ key, state: "done", tries: 0, fingerprint: "" });
    });
  }

  async wait(name: string, options: MessageOptions, codec: KeptCodec | undefined): Promise<unknown> {
    const known = checkCodec(codec, `job.wait(${JSON.stringify(name)}, …)`);
    const message = stepKey(name, checkKey(options.key));
    const key = this.#parts.use(waitPrefix + message);
    const within = options.within === undefined ? undefined : millisecondsOf(options.within, "within");
    this.#job.signal.throwIfAborted();
    return this.during(async () => {
      const book = await this.#parts.book();
      const row = book.known.get(key);
      const { fingerprint } = known;
      if (row !== undefined && row.state !== "running")
        return this.#parts.recalled.recall(row, () => this.#end(message, known, row));
      if (row === undefined)
        await book.keep({
          key,
          state: "running",
          tries: 0,
          fingerprint,
          ...(within !== undefined && { delay: within }),
        });
      await this.#message(book, key, message, fingerprint);
      return this.#end(message, known, book.known.get(key));
    });
  }

  /** Returns the message of a wait that has ended, or throws its timeout. */
  async #end(message: string, codec: KeptCodec, row: StoredStep | undefined): Promise<unknown> {
    if (row?.state !== "done") throw new WaitTimeoutError(message);
    const read = await readKept(codec, row.value);
    if ("value" in read) return read.value;
    throw outdated(this.#job, `the message ${message}`, read.reason);
  }

  async #message(book: StepBook, key: string, message: string, fingerprint: string): Promise<void> {
    let found = book.message(message) ?? (await this.until(book, key, message));
    if (found === undefined) {
      // The message may have been stored before the end, and its notification be late.
      await book.refresh();
      found = book.message(message);
    }
    const fields = { key, tries: 0, fingerprint };
    if (found === undefined) await book.keep({ ...fields, state: "failed", error: { kind: "timeout", message: "" } });
    else await book.keep({ ...fields, state: "done", value: found.body });
  }
}

function endOf(time: Duration | Date): { readonly delay: number } | { readonly until: number } {
  if (!(time instanceof Date)) return { delay: millisecondsOf(time, "sleep") };
  if (Number.isNaN(time.getTime())) throw new TypeError("sleep: the Date is not valid.");
  return { until: time.getTime() };
}
