import type { JobUrn } from "../../../job/job.ts";
import type { Entry } from "./answer-ring.ts";
import { AnswerRing } from "./answer-ring.ts";
import type { FinishedJob, FinishedJobs } from "./finished-jobs.ts";
import type { JobStore } from "../job-store.ts";
import { createMemoryStore } from "./memory.ts";

/** A store in memory where some tools have a number of finished jobs of their own; all others share 10000. */
export function createPerToolStore(perTool: ReadonlyMap<string, number>, maxBytes?: number): JobStore {
  const now = (): number => performance.now();
  const bytes = maxBytes === undefined ? {} : { maxBytes };
  return createMemoryStore({ now, finished: new FinishedPerTool({ shared: 10_000, perTool, now, ...bytes }) });
}

export interface FinishedPerToolOptions {
  /** Number of jobs that all tools without a number of their own keep together. */
  readonly shared: number;
  /** Tools with a number of their own. */
  readonly perTool: ReadonlyMap<string, number>;
  /** Maximum bytes of all records; default 256 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface Shelf {
  readonly jobs: AnswerRing;
  readonly keys: AnswerRing;
}

/** A tool with a number of its own has a shelf of its own, so that a busy tool never displaces the results of another. */
export class FinishedPerTool implements FinishedJobs {
  readonly #maxBytes: number;
  readonly #shared: Shelf;
  readonly #own: ReadonlyMap<string, Shelf>;
  readonly #shelves: readonly Shelf[];

  constructor({ shared, perTool, maxBytes = 256 * 1024 * 1024, now }: FinishedPerToolOptions) {
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

  get(id: JobUrn): Buffer | undefined {
    for (const { jobs } of this.#shelves) {
      const record = jobs.get(id);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  idOf(key: string): JobUrn | undefined {
    for (const { jobs, keys } of this.#shelves) {
      // A key can outlast its job, since fewer jobs have one; a job of another tool may have taken it since.
      const id = keys.get(key)?.toString() as JobUrn | undefined;
      if (id !== undefined && jobs.get(id) !== undefined) return id;
    }
    return undefined;
  }

  get entries(): readonly Entry[] {
    return this.#shelves.flatMap(({ jobs }) => [...jobs.entries]);
  }

  dropExpired(): void {
    for (const ring of this.#shelves.flatMap(({ jobs, keys }) => [jobs, keys])) ring.dropExpired();
  }

  /** All shelves share one limit of bytes, and the one with the most gives way. What is over the limit is not kept. */
  #makeRoom(bytes: number): void {
    if (bytes > this.#maxBytes) return;
    const rings = this.#shelves.map(({ jobs }) => jobs);
    while (rings.reduce((sum, ring) => sum + ring.bytes, bytes) > this.#maxBytes)
      rings.reduce((most, ring) => (ring.bytes > most.bytes ? ring : most)).dropOldest();
  }
}
