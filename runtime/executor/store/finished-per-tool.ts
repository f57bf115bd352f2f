import type { JobUrn } from "../../job/job.ts";
import type { Entry } from "./answer-ring.ts";
import { FinishedRing } from "./finished-jobs.ts";
import type { FinishedJob, FinishedJobs } from "./finished-jobs.ts";

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

/** A tool with a number of its own has a ring of its own, so that a busy tool never displaces the results of another. */
export class FinishedPerTool implements FinishedJobs {
  readonly #maxBytes: number;
  readonly #shared: FinishedRing;
  readonly #own: ReadonlyMap<string, FinishedRing>;
  readonly #rings: readonly FinishedRing[];

  constructor({ shared, perTool, maxBytes = 256 * 1024 * 1024, now }: FinishedPerToolOptions) {
    const ringOf = (maxEntries: number): FinishedRing => new FinishedRing({ maxEntries, maxBytes, now });
    this.#maxBytes = maxBytes;
    this.#shared = ringOf(shared);
    this.#own = new Map([...perTool].map(([tool, size]) => [tool, ringOf(size)]));
    this.#rings = [this.#shared, ...this.#own.values()];
  }

  put(job: FinishedJob): void {
    this.#makeRoom(job.record.reduce((sum, part) => sum + part.byteLength, Buffer.byteLength(job.id)));
    (this.#own.get(job.tool) ?? this.#shared).put(job);
  }

  get(id: JobUrn): Buffer | undefined {
    for (const ring of this.#rings) {
      const record = ring.get(id);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  idOf(key: string): JobUrn | undefined {
    for (const ring of this.#rings) {
      // A key can outlast its job, since fewer jobs have one; a job of another tool may have taken it since.
      const id = ring.idOf(key);
      if (id !== undefined && ring.get(id) !== undefined) return id;
    }
    return undefined;
  }

  get entries(): readonly Entry[] {
    return this.#rings.flatMap(({ entries }) => [...entries]);
  }

  dropExpired(): void {
    for (const ring of this.#rings) ring.dropExpired();
  }

  /** All rings share one limit of bytes, and the one with the most gives way. What is over the limit is not kept. */
  #makeRoom(bytes: number): void {
    if (bytes > this.#maxBytes) return;
    while (this.#rings.reduce((sum, ring) => sum + ring.bytes, bytes) > this.#maxBytes)
      this.#rings.reduce((most, ring) => (ring.bytes > most.bytes ? ring : most)).dropOldest();
  }
}
