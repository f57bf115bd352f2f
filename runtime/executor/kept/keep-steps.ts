import { ToolError } from "../../base/errors.ts";
import {
  maxKept,
  maxKeptBytes,
  maxStepBytes,
  type KeptParts,
  type Parking,
  type StoredMessage,
  type StoredStep,
  type StepWrite,
} from "../../job/steps/kept-step.ts";
import { firstEnds } from "../../job/steps/first-ends.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import { StaleError } from "../../job/steps/step-errors.ts";
import { noPlatform } from "../../service/config/platform-settings.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { JobStore, Lease, WriteAnswer } from "../store/job-store.ts";
import { untilAnswered } from "../store/until-answered.ts";
import type { StoreWrites } from "./store-writes.ts";

/** A job, and the means to store its steps. */
export interface BookPlace {
  readonly job: RunningJob;
  readonly lease: Lease;
  readonly store: JobStore;
  readonly writes: StoreWrites;
}

/**
 * Opens the record of a job's steps, at the platform that handed the job out, or in the store. Steps of earlier
 * attempts are read once. If the lease is undefined, the job has ended, or another attempt runs it.
 */
export async function openBook({
  lease: given,
  ...parts
}: Omit<BookPlace, "lease"> & { readonly lease: Lease | undefined }): Promise<StepBook> {
  const { attempt, platformSettings } = parts.job;
  if (attempt !== undefined) {
    const { platformBooks } = await import("./platform-book.ts");
    parts.writes.books ??= platformBooks(platformSettings ?? noPlatform);
    return parts.writes.books(parts.job);
  }
  if (given === undefined) throw new StaleError();
  const place: BookPlace = { ...parts, lease: given };
  const { job, lease } = place;
  const isNew = job.submission.isTakenUp !== true && lease.attempt === 1;
  const kept = isNew ? { steps: [], messages: [] } : await recall(place);
  return firstEnds(new StoredBook(place, kept));
}

/** Reads what is stored of the job. A store that cannot be reached must not end a job that only reads. */
function recall({ job, store }: BookPlace, only?: "messages"): Promise<KeptParts> {
  return untilAnswered(
    () => store.recall(job.id, only),
    () => job.ending !== undefined || job.signal.aborted,
  );
}

interface Waiting {
  readonly step: StepWrite;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class StoredBook implements StepBook {
  readonly known: Map<string, StoredStep>;
  readonly #place: BookPlace;
  /** Time of `performance.now` at which each stored wait ends; absent if it is not known. */
  readonly #ends = new Map<string, number>();
  #messages: readonly StoredMessage[];
  readonly #listeners = new Set<() => void>();
  #stopWatching = (): void => {};
  #bytes: number;
  /** Steps that the next write will store. */
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(place: BookPlace, { steps, messages }: KeptParts) {
    this.#place = place;
    this.known = new Map(steps.map((step) => [step.key, step]));
    this.#messages = messages;
    this.#bytes = steps.reduce((sum, { value = "" }) => sum + value.length, 0);
    this.#notice(steps);
  }

  keep(step: StepWrite): Promise<void> {
    const { key, value = "" } = step;
    const size = Buffer.byteLength(value);
    const bytes = this.#bytes - (this.known.get(key)?.value?.length ?? 0) + size;
    if (size > maxStepBytes)
      throw tooLarge(`The result of step ${key} has ${size} bytes, and at most ${maxStepBytes} are kept`);
    if (bytes > maxKeptBytes)
      throw tooLarge(`With step ${key} the job would keep ${bytes} bytes, and at most ${maxKeptBytes} are kept`);
    if (!this.known.has(key) && this.known.size >= maxKept)
      throw tooLarge(`Step ${key} is one too many: a job keeps at most ${maxKept}`);
    this.#bytes = bytes;
    const kept = new Promise<void>((resolve, reject) => this.#waiting.push({ step, resolve, reject }));
    void this.#write();
    return kept;
  }

  message(name: string): StoredMessage | undefined {
    return this.#messages.find((message) => message.name === name);
  }

  onMessage(listener: () => void): () => void {
    if (this.#listeners.size === 0) this.#watch();
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stopWatching();
    };
  }

  async refresh(): Promise<void> {
    const { messages } = await recall(this.#place, "messages");
    if (messages.length <= this.#messages.length) return;
    this.#messages = messages;
    for (const listener of this.#listeners) listener();
  }

  async left(key: string): Promise<number> {
    if (!this.#ends.has(key)) this.#notice((await recall(this.#place)).steps);
    return (this.#ends.get(key) ?? Infinity) - performance.now();
  }

  park(parking: Parking): void {
    this.#place.job.leave(parking);
  }

  #watch(): void {
    const { job, store, writes } = this.#place;
    this.#stopWatching = store.watch(job.id, (change) => {
      if (change === "answers" || change === "unknown") writes.add(this.refresh());
    });
    // A message may have arrived since the last read.
    writes.add(this.refresh());
  }

  /** Notes the ends of stored waits, unless they are known: the steps may have been read before a later write. */
  #notice(steps: readonly StoredStep[]): void {
    const now = performance.now();
    for (const { key, left = Infinity } of steps) if (!this.#ends.has(key)) this.#ends.set(key, now + left);
  }

  /** Writes the waiting steps, one write at a time: steps that end meanwhile share the next write. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Steps that end in one turn of the event loop share a write.
    await new Promise(setImmediate);
    for (let batch = this.#waiting.splice(0); batch.length > 0; batch = this.#waiting.splice(0)) {
      try {
        const { store, lease } = this.#place;
        const answer = await store.keep(
          lease,
          batch.map(({ step }) => step),
        );
        this.#written(batch, answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }

  #written(batch: readonly Waiting[], answer: WriteAnswer): void {
    const { job, lease } = this.#place;
    if (answer !== "ok") {
      if (job.ending === undefined) job.cancel("The job was given to another worker, or is gone.");
      for (const { reject } of batch) reject(new StaleError());
      return;
    }
    job.hasKept = true;
    const now = performance.now();
    for (const { step, resolve } of batch) {
      const { delay = Infinity, until, took = 0, ...rest } = step;
      const startedAt = this.known.get(step.key)?.startedAt ?? Date.now() - took;
      const end = step.state === "running" ? {} : { endedAt: Date.now() };
      this.known.set(step.key, { ...rest, ...end, attempt: lease.attempt, startedAt });
      // Only the store's clock tells when a date is.
      if (until === undefined && step.state === "running") this.#ends.set(step.key, now + delay);
      resolve();
    }
  }
}

function tooLarge(message: string): ToolError {
  return new ToolError(
    "invalid-result",
    `${message}. Keep large results as artifacts, and return their URNs from the step.`,
  );
}
