import type { JobUrn } from "../../../job/job.ts";
import { jobUrnPrefix } from "../../../job/job-id.ts";
import { mostAhead } from "../../../contract/wait-text.ts";
import type { JobLimit } from "../../../job/limits/job-limit.ts";
import type { Alarm } from "../alarm.ts";
import { phase } from "../phase.ts";
import { afterStarts, freeAt, startOf, startsNow } from "../rate.ts";
import type { NewJob } from "../job-store.ts";
import type { RecordRow } from "../rows.ts";
import type { CommittedNews } from "./committed-news.ts";
import { KeyCounts, type KeyCount, type Terms } from "./key-counts.ts";
import type { Statements } from "./statements.ts";
import { isBefore, type TurnRow } from "./turns.ts";

export interface LimitsOptions {
  readonly sql: Statements;
  readonly now: () => number;
  /** Called when a job of a tool can be claimed. */
  readonly hasTool: (tool: string) => void;
  readonly news: CommittedNews;
  /** Rings when a rate lets the next job start. */
  readonly alarm: Alarm;
}

/** Columns of the request of a new job. */
interface Joining {
  readonly input: string | null;
  readonly caller: string | null;
  readonly owner: string | null;
  readonly headStart: number | null;
}

/** The turn of a job that waits. */
interface Turn {
  /** Number of jobs before it. */
  readonly ahead: number;
  /** Time at which it starts, in milliseconds since 1970, if known. */
  readonly start?: number;
}

/** Admits the jobs of a key: as many at a time as its limit allows, and as many within a time as its rate allows. */
export class Limits {
  readonly #options: LimitsOptions;
  readonly #counts: KeyCounts;
  /** The last position that was assigned; undefined: not read yet. */
  #last: number | undefined;
  /** Time at which some key must be checked next. The value may be too early, but never too late. */
  #nextDue = 0;

  constructor(options: LimitsOptions) {
    this.#options = options;
    this.#counts = new KeyCounts(options.sql);
  }

  /** Called when rows of a key have changed: admits waiting jobs, in order, as far as there is room. */
  letIn(key: string | null | undefined): void {
    if (typeof key !== "string") return;
    this.#counts.forget(key);
    const count = this.#counts.of(key);
    this.#fill(key, count);
    this.#counts.done(key, count);
  }

  /** Like {@link letIn}, but for the end of exactly one running job. */
  left(key: string | null): void {
    if (key === null) return;
    const count = this.#counts.known(key);
    if (count === undefined) {
      this.letIn(key);
      return;
    }
    count.placed--;
    this.#fill(key, count);
    this.#counts.done(key, count);
  }

  /** Calls {@link letIn} for the keys of rows, once each. */
  letInAll(rows: readonly object[]): void {
    const keys = new Set(rows.map((row) => (row as { readonly limit_key: string | null }).limit_key));
    for (const key of keys) this.letIn(key);
  }

  /** Admits jobs that a rate lets start by now. */
  wake(now: number): void {
    const { sql, alarm } = this.#options;
    if (now >= this.#nextDue) {
      for (const { limit_key: key } of sql.dueKeys.all(now) as { limit_key: string }[]) {
        this.letIn(key);
        // If no job waits for a time, only the time at which the bucket is full remains to be stored.
        sql.restKey.run(key, now);
        sql.dropKey.run(key, now);
      }
      this.#nextDue = Number(sql.nextDue.get()?.["due"] ?? Infinity);
    }
    if (this.#nextDue < Infinity) alarm.set(this.#nextDue - now);
  }

  /**
   * Reserves a slot for a new job. Returns 0, or the milliseconds until a rate has a slot; `Infinity` if the job must
   * wait for the end of another job.
   */
  enter(limit: JobLimit): number {
    const { now } = this.#options;
    const { key, jobs, rate } = limit;
    const count = this.#counts.of(key);
    const at = now();
    // Waiting jobs are admitted first, since the limit may have been raised since the last call.
    this.#fill(key, count, { ...count.terms, jobs, rate }, at);
    // If there is still room, all jobs that wait are delayed by a debounce, and the new job does not wait for them.
    const isFull = jobs !== undefined && count.placed >= jobs;
    if (rate === undefined) return isFull ? Infinity : 0;
    const stored = this.#free(key);
    const free = freeAt(rate, stored, at);
    const mayWake = count.terms.mayWake ?? false;
    if (startsNow(rate, free, at) === 0) {
      // A bucket that fills earlier than was stored, by a faster rate or a clock set back, fills from now on.
      if (free < stored) this.#start(key, { rate, mayWake }, 0, count.waits);
      return Math.max(1, startOf(rate, free, 0) - at);
    }
    if (isFull) return Infinity;
    this.#start(key, { rate, mayWake }, 1, false);
    return 0;
  }

  /**
   * Debounces: gives the request of a new job to a job of the same caller that has not started; returns the row of that
   * job.
   */
  join({ key, debounce }: JobLimit, { input, caller, owner, headStart }: Joining): RecordRow | undefined {
    if (debounce === undefined) return undefined;
    const { sql, now } = this.#options;
    const times = [now() + debounce.wait, debounce.most ?? null] as const;
    const joined = sql.join.get(input, caller, ...times, headStart, headStart, key, owner);
    if (joined === undefined || Number(joined["wakes"]) >= Number(sql.keyOf.get(key)?.["due"]))
      return joined as unknown as RecordRow | undefined;
    // The time of the debounce was lowered: the key must be checked earlier, or the job may start now.
    this.letIn(key);
    return sql.findId.get(String(joined["id"])) as unknown as RecordRow;
  }

  /** Called when a new job was stored that got a slot. */
  placed({ key }: JobLimit): void {
    const count = this.#counts.known(key);
    if (count === undefined) this.#counts.forget(key);
    else count.placed++;
  }

  /**
   * Called when a new job was stored that waits for its turn. Returns how many jobs are before it, and when it starts.
   */
  held({ tool, headStart }: NewJob, { key, jobs, rate, debounce }: JobLimit, seq: number): Turn {
    const count = this.#counts.known(key);
    const mayWake = this.#counts.mayWake(tool, debounce !== undefined);
    if (count === undefined) this.#counts.forget(key);
    else {
      count.waits = true;
      count.terms = { jobs, rate, mayWake, isEarly: headStart !== undefined };
      if (count.held !== undefined) count.held++;
    }
    if (rate !== undefined || mayWake) this.#start(key, { rate, mayWake }, 0, true);
    const { sql } = this.#options;
    const ahead = headStart === undefined ? this.#ahead(key, seq) : Number(sql.aheadOfEarly.get(key, seq)?.["count"]);
    const free = rate && sql.keyOf.get(key)?.["free_at"];
    const opens = typeof free === "number" && rate !== undefined ? startOf(rate, free, ahead) : undefined;
    const wakes = debounce && this.#options.now() + debounce.wait;
    if (opens === undefined && wakes === undefined) return { ahead };
    return { ahead, start: Math.max(opens ?? 0, wakes ?? 0) };
  }

  /** Called after a rollback, since values that were cached from the rows may be wrong then. */
  forget(): void {
    this.#nextDue = 0;
    this.#counts.clear();
  }

  /** The oldest job of a key that has not ended. */
  oldest(key: string): JobUrn | undefined {
    const rows = [phase.executing, phase.pending, phase.held].flatMap((at) => {
      return this.#options.sql.oldestOfKey.all(key, at) as { readonly place: number; readonly id: string }[];
    });
    const [first] = rows.toSorted((one, other) => one.place - other.place);
    return first && `${jobUrnPrefix}${first.id}`;
  }

  /**
   * Returns the position behind all jobs that are in a queue. It is also the number of a new row, so that a job which
   * comes later never has its turn before one that was admitted or woken.
   */
  place(): number {
    this.#last ??= Math.max(0, ...this.#options.sql.lastPlace.all().map(({ place }) => Number(place)));
    return ++this.#last;
  }

  /**
   * Admits as many waiting jobs as there is room for.
   *
   * @param given Default: the limits of the last job in the queue
   */
  #fill(
    key: string,
    count: KeyCount,
    { jobs, rate, mayWake = false, isEarly }: Terms = count.terms,
    at = this.#options.now(),
  ): void {
    if (!count.waits) return;
    const { sql, hasTool, news } = this.#options;
    const free = jobs === undefined ? Infinity : jobs - count.placed;
    const starts = rate === undefined ? Infinity : startsNow(rate, this.#free(key), at);
    let come = 0;
    for (; come < Math.min(free, starts); come++) {
      const next = (isEarly === true ? this.#admitEarliest(key, at) : sql.admit.get(at, this.place(), key, at)) as
        | { readonly tool: string }
        | undefined;
      if (next === undefined) {
        // If jobs are delayed by a debounce, they stay in the queue.
        count.waits = mayWake && this.#nextWake(key, at) < Infinity;
        break;
      }
      count.placed++;
      if (count.held !== undefined) count.held--;
      hasTool(next.tool);
      news.ready(next.tool);
    }
    if (count.held === 0) count.waits = false;
    if (rate !== undefined || mayWake) this.#start(key, { rate, mayWake }, come, come === starts && count.waits);
  }

  /** Admits the job whose turn is next in a queue with head starts; see {@link isBefore}. */
  #admitEarliest(key: string, at: number): unknown {
    const { sql } = this.#options;
    const oldest = sql.firstOfKey.get(key, at) as (TurnRow & { readonly seq: number }) | undefined;
    const first = sql.earliestOfKey.get(key, at) as { readonly seq: number; readonly early: number } | undefined;
    const next = oldest === undefined || first === undefined || isBefore(oldest, first.early) ? oldest : first;
    return next && sql.admitOne.get(at, this.place(), at, next.seq);
  }

  /** Returns the number of jobs before the last job of a queue. */
  #ahead(key: string, seq: number): number {
    const { sql } = this.#options;
    const count = this.#counts.of(key);
    if (count.held !== undefined) return Math.min(count.held - 1, mostAhead);
    const ahead = Number(sql.ahead.get(key, seq)?.["count"]);
    const held = Number(sql.heldOfKey.get(key)?.["count"]);
    // The count is cached only if the new job is the last in its queue: a job that became claimable again may be behind
    // it.
    if (ahead === held - 1) count.held = held;
    return ahead;
  }

  /**
   * Records that some jobs start, and when to check the key again.
   *
   * @param waits True if a job waits for the next start
   */
  #start(key: string, { rate, mayWake = false }: Omit<Terms, "jobs">, starts: number, waits: boolean): void {
    const { sql, now, alarm } = this.#options;
    const at = now();
    const free = rate === undefined ? this.#free(key) : afterStarts(rate, this.#free(key), at, starts);
    const wake = mayWake ? this.#nextWake(key, at) : Infinity;
    const start = rate !== undefined && waits && free > at ? startOf(rate, free, 0) : Infinity;
    const next = Math.min(start > at ? start : Infinity, wake);
    if (free <= at && next === Infinity) return;
    const due = Math.ceil(next < Infinity ? next : free);
    sql.fillKey.run(key, free, due);
    this.#nextDue = Math.min(this.#nextDue, due);
    if (next < Infinity) alarm.set(due - at);
  }

  /** Returns the time at which the next debounce of a key ends. */
  #nextWake(key: string, at: number): number {
    return Number(this.#options.sql.nextWake.get(key, at)?.["wakes"] ?? Infinity);
  }

  #free(key: string): number {
    return Number(this.#options.sql.keyOf.get(key)?.["free_at"] ?? 0);
  }
}
