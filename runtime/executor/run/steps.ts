import { ToolError } from "../../base/errors.ts";
import { parseRange } from "../../contract/duration.ts";
import type { KeptCodec, RetryDefinition } from "../../contract/contract.ts";
import type { CurrentJob } from "../../job/current-job.ts";
import { stepKey, type StepFailure, type StoredStep } from "../../job/steps/kept-step.ts";
import type { EventReporter } from "../../job/reporter.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { mayTryAgain, StepError, StepInterruptedError } from "../../job/steps/step-errors.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { delayBefore } from "./backoff.ts";
import { departureOf } from "./departure.ts";
import { startTimer } from "./long-timer.ts";
import { millisecondsOf, type Duration } from "./time-of.ts";
import { checkCodec, checkKey, outdated } from "./kept-rules.ts";
import { readKept, writeKept } from "./kept-value.ts";
import { RecalledEnds } from "./recalled-ends.ts";
import { Waits } from "./waits.ts";

/** Options of `job.step`. */
export interface KeptStepOptions {
  /**
   * Key for a step in a loop: a text or a number that does not depend on the order of the iterations, such as the id of
   * an item.
   */
  readonly key?: string | number;
  /** Number of attempts of the step, the first one included; default: as in `@retry`, else 1. */
  readonly attempts?: number;
  /**
   * Delay before the first retry, and maximum delay before any retry, such as `1s..1m`; the delay doubles each time.
   * Default: as in `@retry`, else `1s..1m`.
   */
  readonly backoff?: string;
  /**
   * Maximum time of one attempt, such as `30s`. After that time `signal` is aborted and the attempt fails. Default: no
   * limit.
   */
  readonly timeout?: Duration;
  /**
   * Starts the step at most once: if an earlier attempt of the job has started it without recording its end, {@link
   * StepInterruptedError} is thrown instead of running it again. This costs a second write.
   */
  readonly atMostOnce?: boolean;
}

/** A run of a step. */
export interface StepAttempt {
  /**
   * Key that is the same in every attempt of the step and of the job: pass it to the service that the step calls, so
   * that repeated calls count once.
   */
  readonly idempotencyKey: string;
  /** Number of this attempt, from 1; attempts of the step in earlier attempts of the job count. */
  readonly attempt: number;
  /** Signal that is aborted with the job, and after the step's `timeout`. */
  readonly signal: AbortSignal;
}

type Run = (step: StepAttempt) => unknown;

/** The stored steps, sleeps and messages in one attempt of a job. */
export class Steps {
  readonly waits: Waits;
  readonly #job: CurrentJob;
  readonly #report: EventReporter;
  readonly #used = new Set<string>();
  readonly #recalled = new RecalledEnds();
  #book: Promise<StepBook> | undefined;

  constructor(job: CurrentJob, report: EventReporter) {
    this.#job = job;
    this.#report = report;
    const [use, book] = [(key: string) => this.#use(key), () => this.#open()];
    this.waits = new Waits(job, { departure: departureOf(job), recalled: this.#recalled, use, book });
  }

  async step(name: string, options: KeptStepOptions, run: Run, codec: KeptCodec | undefined): Promise<unknown> {
    if (typeof run !== "function") throw new TypeError(`job.step(${JSON.stringify(name)}, …) needs a function.`);
    const known = checkCodec(codec, `job.step(${JSON.stringify(name)}, …)`);
    if (options.timeout !== undefined) millisecondsOf(options.timeout, "timeout");
    const tries = triesOf(options, this.#job.tool.definition?.retry);
    const key = this.#use(stepKey(name, checkKey(options.key)));
    this.#job.signal.throwIfAborted();
    return this.waits.during(async () => {
      const book = await this.#open();
      const row = book.known.get(key);
      if (isEnded(row)) return this.#recalled.recall(row, () => this.#end(known, row));
      if (row !== undefined && options.atMostOnce === true) throw new StepInterruptedError(key);
      return this.#try({ book, key, name, options, run, codec: known, tries, row });
    });
  }

  /** Marks a name and key as used; throws if they are used twice, since they identify one result. */
  #use(key: string): string {
    if (this.#used.has(key)) {
      throw new TypeError(
        `${key} was used twice in one attempt: a second use would find the result of the first. Give it a \`key\` of its own.`,
      );
    }
    this.#used.add(key);
    return key;
  }

  #open(): Promise<StepBook> {
    if (this.#book === undefined) {
      if (this.#job.book === undefined)
        return Promise.reject(new TypeError("This job keeps no steps: it has no store."));
      this.#book = this.#job.book();
    }
    return this.#book;
  }

  async #try(one: Trying): Promise<unknown> {
    const { book, key, options, codec, tries } = one;
    let count = one.row?.tries ?? 0;
    if (count > 0) await this.waits.until(book, key);
    if (options.atMostOnce === true)
      await book.keep({ key, state: "running", tries: 0, fingerprint: codec.fingerprint });
    for (;;) {
      const known = book.known.get(key);
      if (isEnded(known)) return this.#end(codec, known);
      const began = performance.now();
      const since = (): number => Math.round(performance.now() - began);
      let result: { readonly value: unknown } | { readonly thrown: unknown };
      try {
        result = { value: await this.#run(one, count + 1) };
      } catch (thrown) {
        result = { thrown };
      }
      if ("value" in result) {
        const { fingerprint } = codec;
        try {
          const written = await writeKept(codec, key, result.value);
          await book.keep({ key, state: "done", tries: count, fingerprint, took: since(), ...written });
        } catch (thrown) {
          if (ToolError.from(thrown).kind !== "invalid-result") throw thrown;
          // Stored as well: code that catches the error must not get a result in a later attempt.
          const error = failureOf(thrown);
          await book.keep({ key, state: "failed", tries: count + 1, fingerprint, error, took: since() });
          if (book.known.get(key)?.state !== "failed") continue;
          logThrown(key, count + 1, thrown, "a step failed");
          throw thrown;
        }
        // The stored value is read back, so that the first attempt gets the same value as later ones.
        continue;
      }
      const { thrown } = result;
      // If the job was stopped, the step has not failed.
      this.#job.signal.throwIfAborted();
      count += 1;
      const error = failureOf(thrown);
      const fields = { key, tries: count, fingerprint: codec.fingerprint, error, took: since() };
      if (count >= tries.attempts || !mayTryAgain(thrown)) {
        await book.keep({ ...fields, state: "failed" });
        const ended = book.known.get(key);
        if (ended?.state !== "failed") continue;
        // The mistake of a caller is not logged, as for a job.
        if (error.kind !== "user-input") logThrown(key, count, thrown, "a step failed");
        return this.#end(codec, ended, thrown);
      }
      await book.keep({ ...fields, state: "running", delay: delayBefore(count, tries, thrown) });
      // A later run of the job has ended the step meanwhile.
      if (isEnded(book.known.get(key))) continue;
      logThrown(key, count, thrown, "a step failed, and is tried again");
      await this.waits.until(book, key);
    }
  }

  async #run({ key, name, options, run }: Trying, attempt: number): Promise<unknown> {
    const { id, signal } = this.#job;
    const timeout = options.timeout === undefined ? undefined : millisecondsOf(options.timeout, "timeout");
    const over = timeout === undefined ? undefined : new AbortController();
    const step: StepAttempt = {
      // Computed when it is read, since few steps use it.
      get idempotencyKey() {
        return idempotencyKey(id, key);
      },
      attempt,
      signal: over === undefined ? signal : AbortSignal.any([signal, over.signal]),
    };
    const fields = {
      ...(options.key !== undefined && { key: String(options.key) }),
      ...(attempt > 1 && { try: attempt }),
    };
    return this.#report.step(name, fields, async () => {
      if (over === undefined || timeout === undefined) return run(step);
      const late = new ToolError("timeout", `Step ${key} took more than ${timeout} ms.`);
      const limit = Promise.withResolvers<never>();
      const stopTimer = startTimer(timeout, () => {
        over.abort(late);
        limit.reject(late);
      });
      try {
        return await Promise.race([run(step), limit.promise]);
      } finally {
        stopTimer();
      }
    });
  }

  /** Returns the result of a step that has ended, or throws its error. `thrown`: what it threw, if it ended here. */
  async #end(codec: KeptCodec, row: StoredStep, thrown?: unknown): Promise<unknown> {
    const { key, state, value, error = unknownFailure } = row;
    if (state === "failed")
      throw error.kind === "invalid-result"
        ? new ToolError(error.kind, error.message)
        : new StepError(key, error, thrown);
    const read = await readKept(codec, value);
    if ("value" in read) return read.value;
    throw outdated(this.#job, `the kept result of step ${key}`, read.reason);
  }
}

/** A step with a try in progress. */
interface Trying {
  readonly book: StepBook;
  readonly key: string;
  readonly name: string;
  readonly options: KeptStepOptions;
  readonly run: Run;
  readonly codec: KeptCodec;
  readonly tries: RetryDefinition;
  readonly row: StoredStep | undefined;
}

function isEnded(row: StoredStep | undefined): row is StoredStep {
  return row !== undefined && row.state !== "running";
}

const unknownFailure: StepFailure = { kind: "system", message: "The step failed." };

const defaultBackoff = { from: 1000, to: 60_000 };

function triesOf(
  { attempts, backoff, atMostOnce }: KeptStepOptions,
  retry: RetryDefinition | undefined,
): RetryDefinition {
  if (atMostOnce === true && attempts !== undefined && attempts > 1)
    throw new TypeError("A step with `atMostOnce` has one try: leave `attempts` out.");
  const range = backoff === undefined ? (retry ?? defaultBackoff) : parseRange(backoff);
  if (range === undefined)
    throw new TypeError(`backoff: ${JSON.stringify(backoff)} is not valid; write a time or a range, such as "1s..1m".`);
  const count = attempts ?? (atMostOnce === true ? 1 : (retry?.attempts ?? 1));
  if (!Number.isInteger(count) || count < 1) throw new TypeError(`attempts: ${count} is not a number of tries from 1.`);
  return { attempts: count, from: range.from, to: range.to };
}

function failureOf(thrown: unknown): StepFailure {
  const { kind } = ToolError.from(thrown);
  const { type, message } = describeThrown(thrown);
  return { kind, message: message.slice(0, 4000), type };
}

function logThrown(step: string, tries: number, thrown: unknown, text: string): void {
  getLogger("tenon").warn({ step, tries, error: describeThrown(thrown) }, text);
}

/** Makes a UUID of version 8 from the job and the step. */
function idempotencyKey(job: string, key: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hex = createHash("sha256").update(`${job}\n${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
