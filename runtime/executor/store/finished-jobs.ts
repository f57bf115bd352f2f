import type { JobUrn } from "../../job/job.ts";
import { AnswerRing } from "./answer-ring.ts";

export interface FinishedJobsOptions {
  /** Number of jobs that all tools without a number of their own keep together. */
  readonly shared: number;
  /** Tools with a number of their own. */
  readonly perTool: ReadonlyMap<string, number>;
  /** Maximum bytes of all records; default 256 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

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

interface Shelf {
  readonly jobs: AnswerRing;
  readonly keys: AnswerRing;
}

/**
 * Records of finished jobs, by id and by key. A tool with a number of its own has a shelf of its own, so that a busy tool
 * never displaces the results of another.
 */
export class FinishedJobs {
  readonly #options: FinishedJobsOptions;
  readonly #maxBytes: number;
  /** By tool; `undefined` for the shared one. Created on demand: most services never keep a job. */
  readonly #shelves = new Map<string | undefined, Shelf>();

  constructor(options: FinishedJobsOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? 256 * 1024 * 1024;
  }

  put({ id, tool, key, record, ttl }: FinishedJob): void {
    const { jobs, keys } = this.#shelfOf(tool);
    this.#makeRoom(record.reduce((sum, part) => sum + part.byteLength, Buffer.byteLength(id)));
    jobs.put(id, record, ttl);
    if (key !== undefined) keys.put(key, [Buffer.from(id)], ttl);
  }

  /** The record; undefined when it is unknown or has expired. */
  get(id: JobUrn): Buffer | undefined {
    for (const { jobs } of this.#shelves.values()) {
      const record = jobs.get(id);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  /** The job that was submitted with a key, while its record is kept. */
  idOf(key: string): JobUrn | undefined {
    for (const { jobs, keys } of this.#shelves.values()) {
      // A key can outlast its job, since fewer jobs have one.
      const id = keys.get(key)?.toString() as JobUrn | undefined;
      if (id !== undefined && jobs.has(id)) return id;
    }
    return undefined;
  }

  dropExpired(): void {
    for (const { jobs, keys } of this.#shelves.values()) {
      jobs.dropExpired();
      keys.dropExpired();
    }
  }

  #shelfOf(tool: string): Shelf {
    const { perTool, shared, now } = this.#options;
    const own = perTool.get(tool);
    const name = own === undefined ? undefined : tool;
    const known = this.#shelves.get(name);
    if (known !== undefined) return known;
    const options = { maxEntries: own ?? shared, maxBytes: this.#maxBytes, now };
    const shelf = { jobs: new AnswerRing(options), keys: new AnswerRing(options) };
    this.#shelves.set(name, shelf);
    return shelf;
  }

  /** All shelves share one limit of bytes; the one with the most gives way. A single one keeps the limit itself. */
  #makeRoom(bytes: number): void {
    if (this.#shelves.size < 2 || bytes > this.#maxBytes) return;
    const rings = [...this.#shelves.values()].map(({ jobs }) => jobs);
    let free = this.#maxBytes - bytes - rings.reduce((sum, ring) => sum + ring.bytes, 0);
    while (free < 0) free += rings.reduce((most, ring) => (ring.bytes > most.bytes ? ring : most)).dropOldest();
  }
}
