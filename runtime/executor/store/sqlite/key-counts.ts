import type { JobRate } from "../../../job/limits/job-limit.ts";
import type { Statements } from "./statements.ts";

type CountStatements = Readonly<Record<"anyLimited" | "termsOf" | "placed", Pick<Statements["placed"], "get">>>;

/** The jobs of a key that have not ended. */
export interface KeyCount {
  /** Those that can be claimed, or run. */
  placed: number;
  /** False: nobody waits for its turn. */
  waits: boolean;
  /** Number of those that wait, where that is known. */
  held: number | undefined;
  terms: Terms;
}

/** Numbers of a key, as the last one of those that wait says. */
export interface Terms {
  readonly jobs?: number | undefined;
  readonly rate?: Pick<JobRate, "pace" | "burst"> | undefined;
  /** Its jobs wait for other requests first. */
  readonly mayWake?: boolean;
}

const noTerms: Terms = {};

/**
 * Counts the jobs of each key once, and knows them from then on: counting anew with each job would cost more than the
 * job. This process alone writes to the table, so what it knows stays true until it forgets it.
 */
export class KeyCounts {
  readonly #sql: CountStatements;
  readonly #mostKeys: number;
  readonly #known = new Map<string, KeyCount | undefined>();
  /** True while a key that is not known has no jobs. */
  #isComplete: boolean | undefined;

  /** @param mostKeys Keys that are remembered; of more the table is asked again */
  constructor(sql: CountStatements, mostKeys = 100_000) {
    this.#sql = sql;
    this.#mostKeys = mostKeys;
  }

  /** The counts of a key, to be changed by whoever changes its rows. */
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

  /** Called when nothing more is to be done for a key: one without jobs need not be known. */
  done(key: string, { placed, waits }: KeyCount): void {
    if (placed === 0 && !waits) this.#known.delete(key);
  }

  /** Called after a rollback. */
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

function toTerms({ cap, pace, burst, wakes }: Readonly<Record<string, unknown>>): Terms {
  return {
    jobs: typeof cap === "number" ? cap : undefined,
    rate: typeof pace === "number" && typeof burst === "number" ? { pace, burst } : undefined,
    mayWake: typeof wakes === "number",
  };
}
