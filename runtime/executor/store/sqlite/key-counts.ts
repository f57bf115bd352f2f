import type { JobRate } from "../../../job/limits/job-limit.ts";
import type { Statements } from "./statements.ts";

type CountStatements = Readonly<Record<"anyLimited" | "termsOf" | "placed", Pick<Statements["placed"], "get">>> & {
  readonly debounced: Pick<Statements["debounced"], "all">;
};

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
  /** True if jobs may be delayed by a debounce: not only the last one, whose other terms these are. */
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
  /**
   * Counts that were used lately, and those before them. When the newer half is full, the older one is dropped as a
   * whole: a `Map` of which the oldest entries are deleted one by one takes longer with each to find the next.
   */
  #newer = new Map<string, KeyCount | undefined>();
  #older = new Map<string, KeyCount | undefined>();
  /** True if every key that is not in the cache has no jobs. */
  #isComplete: boolean | undefined;
  /** Tools that may have jobs which a debounce delays; undefined: not read yet. */
  #debounced: Set<unknown> | undefined;

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
    const known = this.known(key);
    if (known !== undefined) return known;
    this.#isComplete ??= this.#sql.anyLimited.get() === undefined;
    const isNew = this.#isComplete && !this.#newer.has(key) && !this.#older.has(key);
    const count = isNew ? { placed: 0, waits: false, held: 0, terms: noTerms } : this.#read(key);
    this.#set(key, count);
    return count;
  }

  /** The counts of a key, if they are known. */
  known(key: string): KeyCount | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined || this.#newer.has(key)) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.#set(key, older);
    return older;
  }

  /**
   * True if a debounce may delay jobs of a tool. The tools are known, since a search of the jobs of each key would take
   * long.
   *
   * @param isNew True if a job of the tool is delayed now
   */
  mayWake(tool: unknown, isNew = false): boolean {
    this.#debounced ??= new Set(this.#sql.debounced.all().map((row) => row["tool"]));
    if (isNew) this.#debounced.add(tool);
    return this.#debounced.has(tool);
  }

  /** Called when rows of a key have changed in a way that was not counted. */
  forget(key: string): void {
    this.#set(key, undefined);
  }

  /** Called when nothing more is to be done for a key: a key without jobs is removed from the cache. */
  done(key: string, { placed, waits }: KeyCount): void {
    if (placed > 0 || waits) return;
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  /** Called after a rollback, since the cached counts may be wrong then. */
  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#isComplete = undefined;
  }

  #set(key: string, count: KeyCount | undefined): void {
    this.#older.delete(key);
    this.#newer.set(key, count);
    if (this.#newer.size <= this.#mostKeys / 2) return;
    if (this.#older.size > 0) this.#isComplete = false;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  #read(key: string): KeyCount {
    const placed = Number(this.#sql.placed.get(key)?.["count"]);
    const last = this.#sql.termsOf.get(key);
    if (last === undefined) return { placed, waits: false, held: 0, terms: noTerms };
    return { placed, waits: true, held: undefined, terms: toTerms(last, this.mayWake(last["tool"])) };
  }
}

function toTerms(
  { cap, pace, burst, head_start: headStart }: Readonly<Record<string, unknown>>,
  mayWake: boolean,
): Terms {
  return {
    jobs: typeof cap === "number" ? cap : undefined,
    rate: typeof pace === "number" && typeof burst === "number" ? { pace, burst } : undefined,
    mayWake,
    isEarly: typeof headStart === "number",
  };
}
