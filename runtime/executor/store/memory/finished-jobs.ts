import type { JobUrn } from "../../../job/job.ts";
import { AnswerRing, type Entry } from "./answer-ring.ts";

/** A finished job as it is kept. */
export interface FinishedJob {
  readonly id: JobUrn;
  readonly tool: string;
  /** Owner and idempotency key, in one text. */
  readonly key: string | undefined;
  readonly record: readonly Uint8Array[];
  /** Milliseconds for which the job is stored. */
  readonly ttl: number;
}

export interface FinishedJobsOptions {
  /** Limit for the finished jobs of all tools without a limit of their own, together; default 10000. */
  readonly shared?: number | undefined;
  /** Limits of tools that have one of their own. */
  readonly perTool?: ReadonlyMap<string, number> | undefined;
  /** Maximum bytes of all records; default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface Shelf {
  readonly jobs: AnswerRing;
  readonly keys: AnswerRing;
}

/**
 * Records of finished jobs, by id and by key; the oldest are dropped first. A tool with its own limit forms a separate
 * group, so that a busy tool never evicts the results of another.
 */
export class FinishedJobs {
  readonly #maxBytes: number;
  readonly #shared: Shelf;
  readonly #own: ReadonlyMap<string, Shelf>;
  readonly #shelves: readonly Shelf[];

  constructor({ shared = 10_000, perTool = new Map(), maxBytes = 64 * 1024 * 1024, now }: FinishedJobsOptions) {
    const ringOf = (maxEntries: number): AnswerRing => new AnswerRing({ maxEntries, maxBytes, now });
    const shelfOf = (size: number): Shelf => ({ jobs: ringOf(size), keys: ringOf(size) });
    this.#maxBytes = maxBytes;
    this.#shared = shelfOf(shared);
    this.#own = new Map([...perTool].map(([tool, size]) => [tool, shelfOf(size)]));
    this.#shelves = [this.#shared, ...this.#own.values()];
  }

  put({ id, tool, key, record, ttl }: FinishedJob): void {
    this.#makeRoom(record.reduce((sum, part) => sum + part.byteLength, Buffer.byteLength(id)));
    const { jobs, keys } = this.#own.get(tool) ?? this.#shared;
    jobs.put(id, record, ttl);
    if (key !== undefined) keys.put(key, [Buffer.from(id)], ttl);
  }

  /** Returns the record of a job; undefined when the job is unknown or has expired. */
  get(id: JobUrn): Buffer | undefined {
    for (const { jobs } of this.#shelves) {
      const record = jobs.get(id);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  /** The job that was submitted with a key. */
  idOf(key: string): JobUrn | undefined {
    for (const { jobs, keys } of this.#shelves) {
      // A key can outlast its job, and another job may have the key now, so the job is checked.
      const id = keys.get(key)?.toString() as JobUrn | undefined;
      if (id !== undefined && jobs.get(id) !== undefined) return id;
    }
    return undefined;
  }

  /** All records, including expired ones. */
  get entries(): readonly Entry[] {
    return this.#shelves.flatMap(({ jobs }) => [...jobs.entries]);
  }

  dropExpired(): void {
    for (const ring of this.#shelves.flatMap(({ jobs, keys }) => [jobs, keys])) ring.dropExpired();
  }

  /**
   * Evicts finished jobs to make room. All groups share one byte limit, and the largest group is evicted from first.
   * Nothing is evicted for a job that is larger than the limit itself.
   */
  #makeRoom(bytes: number): void {
    if (bytes > this.#maxBytes) return;
    const rings = this.#shelves.map(({ jobs }) => jobs);
    while (rings.reduce((sum, ring) => sum + ring.bytes, bytes) > this.#maxBytes)
      rings.reduce((most, ring) => (ring.bytes > most.bytes ? ring : most)).dropOldest();
  }
}
