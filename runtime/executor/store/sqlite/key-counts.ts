import type { JobRate } from "../../../job/limits/job-limit.ts";
import type { Statements } from "./statements.ts";

type CountStatements = Readonly<Record<"anyLimited" | "termsOf" | "placed", Pick<Statements["placed"], "get">>>;

/** The jobs of a key that have not ended. */
export interface KeyCount {
  /** Number of jobs that can be claimed, or run. */
  placed: number;
  /** True if jobs may be waiting for their turn; if false, none is. */
  waits: boolean;
  /** Number of waiting jobs, if known. */
  held: number | undefined;
  terms: Terms;
}

/** Limits of a key, as set by its last waiting job. */
export interface Terms {
  readonly jobs?: number | undefined;
  readonly rate?: Pick<JobRate, "pace" | "burst"> | undefined;
  /** True if jobs may be delayed by a debounce. */
  readonly mayWake?: boolean;
  /** True if jobs may have head starts. */
  readonly isEarly?: boolean;
}

const noTerms: Terms = {};

/**
 * Cache of the numbers of jobs of each key: counting anew for each job would cost more than the job itself. Only this
 * process writes to the table, so the numbers stay valid until they are forgotten.
 */
export class KeyCounts {
  readonly #sql: CountStatements;
  readonly #mostKeys: number;
  readonly #known = new Map<string, KeyCount | undefined>();
  /** True if every key that is not in the cache has no jobs. */
  #isComplete: boolean | undefined;

  /**
   * Creates an empty cache.
   *
   * @param mostKeys Maximum number of cached keys; other keys are counted in the table
   */
  constructor(sql: CountStatements, mostKeys = 100_000) {
    this.#sql = sql;
    this.#mostKeys = mostKeys;
  }

  /** Returns the counts of a key. Code that changes the key's rows must update these. */
  of(key: string): KeyCount {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#isComplete ??= this.#sql.anyLimited.get() === undefined;
    const isNew = this.#isComplete && !this.#known.has(key);
    const count = isNew ? { placed: 0, waits: false, held: 0, terms: noTerms } : this.#read(key);
    this.#known.set(key, count);
    if (this.#known.size > this.#mostKeys) {
      const [first = ""] = this.#known.keys();
      this.#known.delete(first);
      this.#isComplete = false;
    }
    return count;
  }

  /** The counts of a key, if they are known. */
  known(key: string): KeyCount | undefined {
    return this.#known.get(key);
  }

  /** Called when rows of a key have changed in a way that was not counted. */
  forget(key: string): void {
    this.#known.set(key, undefined);
  }

  /** Called when nothing more is to be done for a key: a key without jobs is removed from the cache. */
  done(key: string, { placed, waits }: KeyCount): void {
    if (placed === 0 && !waits) this.#known.delete(key);
  }

  /** Called after a rollback, since the counts are then invalid. */
  clear(): void {
    this.#known.clear();
    this.#isComplete = undefined;
  }

  #read(key: string): KeyCount {
    const placed = Number(this.#sql.placed.get(key)?.["count"]);
    const last = this.#sql.termsOf.get(key);
    if (last === undefined) return { placed, waits: false, held: 0, terms: noTerms };
    return { placed, waits: true, held: undefined, terms: toTerms(last) };
  }
}

function toTerms({ cap, pace, burst, wakes, head_start: headStart }: Readonly<Record<string, unknown>>): Terms {
  return {
    jobs: typeof cap === "number" ? cap : undefined,
    rate: typeof pace === "number" && typeof burst === "number" ? { pace, burst } : undefined,
    mayWake: typeof wakes === "number",
    isEarly: typeof headStart === "number",
  };
}
