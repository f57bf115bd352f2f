import type { JobUrn } from "../../../job/job.ts";
import { jobUrnPrefix } from "../../../job/job-id.ts";
import type { JobLimit, JobRate } from "../../../job/limits/job-limit.ts";
import type { Alarm } from "../alarm.ts";
import { phase } from "../phase.ts";
import { afterStarts, startOf, startsNow } from "../rate.ts";
import type { RecordRow } from "../rows.ts";
import type { CommittedNews } from "./committed-news.ts";
import type { Statements } from "./statements.ts";

export interface LimitsOptions {
  readonly sql: Statements;
  readonly now: () => number;
  /** Called when a job of a tool can be claimed. */
  readonly hasTool: (tool: string) => void;
  readonly news: CommittedNews;
  /** Rings when a rate lets the next job start. */
  readonly alarm: Alarm;
}

/** The request of a new job, as its columns. */
interface Joining {
  readonly input: string | null;
  readonly caller: string | null;
  readonly owner: string | null;
}

interface HeldRow {
  readonly seq: number;
  readonly tool: string;
}

/** Numbers of a key, as its last job says. */
interface Terms {
  readonly jobs: number | undefined;
  readonly rate: Pick<JobRate, "pace" | "burst"> | undefined;
  /** Its jobs wait for other requests first. */
  readonly mayWake: boolean;
}

/** Lets jobs of a key in, as many at a time as its limit says, and as many in a time as its rate says. */
export class Limits {
  readonly #options: LimitsOptions;
  /** The last place that was given here. */
  #last = 0;
  /** Time at which a key must be looked at. Too early is harmless, too late is not. */
  #nextDue = 0;

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /**
   * Called when a job of a key has ended, has left or waits for its turn: lets in the first of those that wait, as far
   * as there is room.
   * @param given Default: that of the last one in the line
   */
  letIn(key: string | null | undefined, given?: JobLimit): void {
    if (typeof key !== "string") return;
    const { sql, now, hasTool, news } = this.#options;
    const last = sql.termsOf.get(key);
    // Nobody waits.
    if (last === undefined) return;
    const { jobs, rate, mayWake } = given === undefined ? toTerms(last) : termsOf(given);
    const at = now();
    const free = jobs === undefined ? Infinity : jobs - this.#placed(key);
    const starts = rate === undefined ? Infinity : startsNow(rate, this.#free(key), at);
    let come = 0;
    for (; come < Math.min(free, starts); come++) {
      const next = sql.nextHeld.get(key, at) as unknown as HeldRow | undefined;
      if (next === undefined) break;
      sql.admit.run(at, this.place(), next.seq);
      hasTool(next.tool);
      news.ready(next.tool);
    }
    if (rate !== undefined || mayWake) this.#start(key, { rate, mayWake }, come, come === starts);
  }

  /** Calls {@link letIn} for the keys of rows, once each. */
  letInAll(rows: readonly object[]): void {
    const keys = new Set(rows.map((row) => (row as { readonly limit_key: string | null }).limit_key));
    for (const key of keys) this.letIn(key);
  }

  /** Lets in whom a rate lets start by now. */
  wake(now: number): void {
    const { sql, alarm } = this.#options;
    if (now >= this.#nextDue) {
      for (const { limit_key: key } of sql.dueKeys.all(now) as { limit_key: string }[]) {
        this.letIn(key);
        // Nobody waits, or only for the end of another one: what is left is the time at which the bucket is full.
        sql.restKey.run(key, now);
        sql.dropKey.run(key, now);
      }
      this.#nextDue = Number(sql.nextDue.get()?.["due"] ?? Infinity);
    }
    if (this.#nextDue < Infinity) alarm.set(this.#nextDue - now);
  }

  /** Takes a place for a new job: 0, or the milliseconds until a rate has one; `Infinity` when an end brings it. */
  enter(limit: JobLimit): number {
    const { sql, now } = this.#options;
    const { key, jobs, rate } = limit;
    // The number may have grown since the last call.
    this.letIn(key, limit);
    const isFull = jobs !== undefined && this.#placed(key) >= jobs;
    const at = now();
    if (rate === undefined) return isFull || sql.anyHeld.get(key) !== undefined ? Infinity : 0;
    const free = this.#free(key);
    const hasStart = startsNow(rate, free, at) > 0;
    if (hasStart && (isFull || sql.anyHeld.get(key) !== undefined)) return Infinity;
    if (!hasStart) return Math.max(1, startOf(rate, free, 0) - at);
    this.#start(key, { rate, mayWake: false }, 1, false);
    return 0;
  }

  /** Called when a new job waits for a start, or for another request. */
  waits(limit: JobLimit): void {
    if (limit.rate !== undefined || limit.debounce !== undefined) this.#start(limit.key, termsOf(limit), 0, true);
  }

  /** Gives the request of a new job to one of the same caller that has not started; returns the row of that. */
  join({ key, debounce }: JobLimit, { input, caller, owner }: Joining): RecordRow | undefined {
    if (debounce === undefined) return undefined;
    const until = this.#options.now() + debounce.wait;
    const joined = this.#options.sql.join.get(input, caller, until, debounce.most ?? null, key, owner);
    return joined as unknown as RecordRow | undefined;
  }

  /** Called after a rollback: cached facts about the rows are invalid. */
  forget(): void {
    this.#nextDue = 0;
  }

  /** The job of a key that came first, and has not ended. */
  oldest(key: string): JobUrn | undefined {
    const rows = [phase.executing, phase.pending, phase.held].flatMap((at) => {
      return this.#options.sql.oldestOfKey.all(key, at) as { readonly seq: number; readonly id: string }[];
    });
    const [first] = rows.toSorted((one, other) => one.seq - other.seq);
    return first && `${jobUrnPrefix}${first.id}`;
  }

  /** The place behind all others that are in a line. */
  place(): number {
    return (this.#last = Math.max(this.#last, Number(this.#options.sql.lastSeq.get()?.["seq"] ?? 0)) + 1);
  }

  /** Notes that some jobs start, and when to look at the key again. */
  #start(key: string, { rate, mayWake }: Omit<Terms, "jobs">, starts: number, mayWait: boolean): void {
    const { sql, now, alarm } = this.#options;
    const at = now();
    const free = rate === undefined ? this.#free(key) : afterStarts(rate, this.#free(key), at, starts);
    const wake = mayWake ? Number(sql.nextWake.get(key, at)?.["wakes"] ?? Infinity) : Infinity;
    if (free <= at && wake === Infinity) return;
    const start = rate !== undefined && mayWait && free > at ? startOf(rate, free, 0) : Infinity;
    const waits = wake < Infinity || (start < Infinity && sql.anyHeld.get(key) !== undefined);
    const due = Math.ceil(waits ? Math.min(start > at ? start : Infinity, wake) : free);
    sql.fillKey.run(key, free, due);
    this.#nextDue = Math.min(this.#nextDue, due);
    if (waits) alarm.set(due - at);
  }

  #free(key: string): number {
    return Number(this.#options.sql.freeOf.get(key)?.["free_at"] ?? 0);
  }

  #placed(key: string): number {
    return Number(this.#options.sql.placed.get(key)?.["count"]);
  }
}

function termsOf({ jobs, rate, debounce }: JobLimit): Terms {
  return { jobs, rate, mayWake: debounce !== undefined };
}

function toTerms({ cap, pace, burst, wakes }: Readonly<Record<string, unknown>>): Terms {
  return {
    jobs: typeof cap === "number" ? cap : undefined,
    rate: typeof pace === "number" && typeof burst === "number" ? { pace, burst } : undefined,
    mayWake: wakes !== null,
  };
}
