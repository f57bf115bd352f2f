import type { JobUrn } from "../../../job/job.ts";
import { AnswerRing, type AnswerRingOptions, type Entry } from "./answer-ring.ts";

/** A finished job as it is kept. */
export interface FinishedJob {
  readonly id: JobUrn;
  readonly tool: string;
  /** Owner and idempotency key. */
  readonly key: string | undefined;
  readonly record: readonly Uint8Array[];
  /** Milliseconds. */
  readonly ttl: number;
}

/** Records of finished jobs, by id and by key. */
export interface FinishedJobs {
  put(job: FinishedJob): void;
  /** The record; undefined when it is unknown or has expired. */
  get(id: JobUrn): Buffer | undefined;
  /** The job that was submitted with a key. It may have gone meanwhile. */
  idOf(key: string): JobUrn | undefined;
  dropExpired(): void;
  /** The records, expired ones among them; valid until the next `put`. */
  readonly entries: Iterable<Entry>;
}

/** Finished jobs of all tools alike, the oldest dropped first. */
export class FinishedRing implements FinishedJobs {
  readonly #options: AnswerRingOptions;
  #jobs: AnswerRing | undefined;
  #keys: AnswerRing | undefined;

  constructor(options: AnswerRingOptions) {
    this.#options = options;
  }

  // Created on demand: most services never keep a job, and creating the tables takes longer than the rest of a start.
  put({ id, key, record, ttl }: FinishedJob): void {
    (this.#jobs ??= new AnswerRing(this.#options)).put(id, record, ttl);
    if (key !== undefined) (this.#keys ??= new AnswerRing(this.#options)).put(key, [Buffer.from(id)], ttl);
  }

  get(id: JobUrn): Buffer | undefined {
    return this.#jobs?.get(id);
  }

  idOf(key: string): JobUrn | undefined {
    return this.#keys?.get(key)?.toString() as JobUrn | undefined;
  }

  dropExpired(): void {
    this.#jobs?.dropExpired();
    this.#keys?.dropExpired();
  }

  get entries(): Iterable<Entry> {
    return this.#jobs?.entries ?? [];
  }
}
