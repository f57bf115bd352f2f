import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { JobUrn } from "../../../job/job.ts";
import type {
  Claim,
  ClaimOptions,
  JobRecord,
  Lease,
  NewJob,
  RenewAnswer,
  ReplyAnswer,
  SendAnswer,
  WriteAnswer,
} from "../job-store.ts";
import type { KeptParts, NewMessage, Parking, StepWrite } from "../../../job/steps/kept-step.ts";
import type { Alarm } from "../alarm.ts";
import type { CommittedNews } from "./committed-news.ts";
import { ClaimableJobs } from "./claimable-jobs.ts";
import { Housekeeping, type HousekeepingOptions } from "./housekeeping.ts";
import { KeptTable } from "./kept-table.ts";
import { Limits } from "./limits.ts";
import { Lists } from "./lists.ts";
import { keyOf, outcomeOf, toClaim, toColumns, type EventRow, type OutcomeColumns, type RecordRow } from "../rows.ts";
import { phase } from "../phase.ts";
import { maxEvents } from "../shared-rules.ts";
import { replacedReason, type TakenAnswer } from "../refusal.ts";
import { recordOf, rowOf } from "./reads.ts";
import { prepareAll, type Statements } from "./statements.ts";
import { Submissions } from "./submissions.ts";

interface TableOptions extends HousekeepingOptions {
  /** See `SqliteStoreOptions`. */
  readonly keptInput: number | undefined;
}

/** The store's methods as SQL. Each call is one step of a transaction that the caller begins and commits. */
export class JobTable {
  readonly #sql: Statements;
  readonly #now: () => number;
  readonly #keptInput: number;
  /** Drops expired rows. */
  readonly housekeeping: Housekeeping;
  /** Queries over many jobs, for operators and autoscalers. */
  readonly lists: Lists;
  readonly #claimable: ClaimableJobs;
  readonly #submissions: Submissions;
  readonly #kept: KeptTable;
  readonly #limits: Limits;
  readonly #news: CommittedNews;

  constructor(database: DatabaseSync, options: TableOptions, news: CommittedNews, alarm: Alarm) {
    this.#sql = prepareAll(database);
    this.#now = options.now;
    this.#keptInput = options.keptInput ?? 0;
    this.#news = news;
    this.housekeeping = new Housekeeping(this.#sql, {
      ...options,
      changed: (rows) => {
        this.#limits.letInAll(rows);
        news.any();
      },
      place: () => this.#limits.place(),
    });
    this.lists = new Lists(this.#sql, options.now);
    this.#claimable = new ClaimableJobs(this.#sql, () => this.#limits);
    const parts = { sql: this.#sql, now: this.#now, claimable: this.#claimable, news };
    this.#limits = new Limits({ ...parts, alarm, hasTool: (tool) => this.#claimable.hasTool(tool) });
    this.#kept = new KeptTable({ ...parts, limits: this.#limits });
    this.#submissions = new Submissions({
      ...parts,
      limits: this.#limits,
      housekeeping: this.housekeeping,
      cancel: (id) => this.cancel(id, replacedReason),
    });
  }

  /** See {@link Submissions.submit}. */
  submit(job: NewJob, input: string | null, leaseSeconds?: number, worker?: string): TakenAnswer {
    return this.#submissions.submit(job, input, leaseSeconds, worker);
  }

  claim(options: ClaimOptions): Claim | undefined {
    const now = this.#now();
    const token = randomUUID();
    const { id, seconds, worker = null } = options;
    const row = id === undefined ? this.#claimable.oldest(now, options) : this.#claimable.named(id, now);
    if (row === undefined) return undefined;
    const [seq, attempt] = row;
    this.#sql.claim.run(now + seconds * 1000, attempt + 1, token, now, worker, seq);
    return toClaim(row, token, this.#lastSequence(seq));
  }

  renew(lease: Lease, seconds: number): RenewAnswer {
    const until = this.#now() + seconds * 1000;
    if (this.#sql.renew.run(until, ...held(lease)).changes === 1) return "ok";
    const row = this.#find(lease.id);
    const outcome = row === undefined ? undefined : outcomeOf(row);
    return outcome?.state === "cancelled" ? { cancel: outcome.error.message } : refusal(row);
  }

  progress(lease: Lease, events: readonly EventRow[]): WriteAnswer {
    const job = this.#sql.findHeld.get(...held(lease))?.["seq"];
    if (typeof job !== "number") return refusal(this.#find(lease.id));
    const known = this.#sql.lastSequence.get(job);
    let last = Number(known?.["last"] ?? 0);
    let first = known?.["first"];
    if (events.length > 0) this.housekeeping.hasEvents();
    for (const { sequence, body } of events) {
      if (sequence <= last) continue;
      this.#sql.addEvent.run(job, sequence, body);
      first ??= sequence;
      last = sequence;
    }
    // Rarely, since it costs more than a write.
    if (last - Number(first) >= 1.1 * maxEvents) this.#sql.dropOldEvents.run(job, job, maxEvents);
    this.#news.changed(lease.id, "events");
    return "ok";
  }

  settle(lease: Lease, { outcome, content_type: contentType, content }: OutcomeColumns, isDead: boolean): WriteAnswer {
    const now = this.#now();
    const row = this.#sql.settle.get(now, now, outcome, contentType, content, outcome, this.#keptInput, ...held(lease));
    if (row === undefined) return refusal(this.#find(lease.id));
    this.#limits.left(limitOf(row));
    if (isDead) {
      this.housekeeping.becomesDead(lease.id);
      this.#news.changed(lease.id, "ended");
    } else this.#ended(lease.id);
    return "ok";
  }

  release(lease: Lease, delay: number): WriteAnswer {
    const now = this.#now();
    const due = now + delay * 1000;
    const row = this.#sql.release.get(delay > 0 ? phase.delayed : phase.pending, due, now, ...held(lease));
    if (row === undefined) return refusal(this.#find(lease.id));
    if (delay > 0) {
      this.#claimable.isDelayed(due);
      this.#limits.letIn(limitOf(row));
    } else this.#news.any();
    return "ok";
  }

  keep(lease: Lease, steps: readonly StepWrite[]): WriteAnswer {
    return this.#kept.keep(lease, steps) ?? refusal(this.#find(lease.id));
  }

  park(lease: Lease, parking: Parking): WriteAnswer {
    return this.#kept.park(lease, parking) ?? refusal(this.#find(lease.id));
  }

  send(id: JobUrn, message: NewMessage): SendAnswer {
    const row = this.#find(id);
    if (row === undefined) return "unknown";
    return row.phase >= phase.ended ? "ended" : this.#kept.send(row.seq, id, message);
  }

  fork(id: JobUrn, as: JobUrn, keys: readonly string[]): "ok" | "unknown" {
    return this.#find(id) === undefined ? "unknown" : this.#kept.fork(id, as, keys);
  }

  recall(id: JobUrn, only?: "messages"): KeptParts {
    const row = this.#find(id);
    return row === undefined ? { steps: [], messages: [] } : this.#kept.recall(row.seq, only);
  }

  ask(lease: Lease, talk: string): WriteAnswer {
    return this.#sql.ask.run(talk, ...held(lease)).changes === 1 ? "ok" : refusal(this.#find(lease.id));
  }

  answer(id: JobUrn, replies: string): ReplyAnswer {
    if (this.#sql.answer.run(replies, keyOf(id), replies).changes === 1) {
      this.#news.changed(id, "answers");
      return "ok";
    }
    const row = this.#find(id);
    if (row === undefined) return "unknown";
    return row.phase >= phase.ended ? "ended" : "full";
  }

  cancel(id: JobUrn, reason: string): WriteAnswer {
    const now = this.#now();
    const { content } = toColumns({ state: "cancelled", error: { kind: "cancelled", message: reason } });
    const row = this.#sql.cancel.get(now, now, "cancelled", null, content, "cancelled", this.#keptInput, keyOf(id));
    if (row === undefined) return this.#find(id) === undefined ? "unknown" : "ended";
    this.#limits.letIn(limitOf(row));
    this.#ended(id);
    return "ok";
  }

  get(id: JobUrn): JobRecord | undefined {
    const row = this.#find(id);
    return row === undefined ? undefined : recordOf(this.#sql, row);
  }

  lose(lease: Lease, detail: string): WriteAnswer {
    if (this.#sql.lose.run(detail, ...held(lease)).changes !== 1) return refusal(this.#find(lease.id));
    this.housekeeping.endLeases(-1);
    return "ok";
  }

  /** Called after a rollback, since values that were cached from the rows may be wrong then. */
  forget(): void {
    this.housekeeping.forget();
    this.#claimable.forget();
    this.#limits.forget();
  }

  #ended(id: JobUrn): void {
    this.housekeeping.hasFinished(() => this.lists.listed(id)?.tool);
    this.#news.changed(id, "ended");
  }

  #find(id: JobUrn): RecordRow | undefined {
    const row = rowOf(this.#sql, id);
    return row === undefined || this.housekeeping.isExpired(row) ? undefined : row;
  }

  /**
   * Returns the number of the job's last event, including those of released attempts, which are not counted elsewhere.
   */
  #lastSequence(seq: number): number {
    return this.housekeeping.mayHaveEvents ? Number(this.#sql.lastSequence.get(seq)?.["last"] ?? 0) : 0;
  }
}

/** Returns the key of the limit in a row that a statement returns. */
function limitOf(row: Readonly<Record<string, unknown>>): string | null {
  return row["limit_key"] as string | null;
}

/** The columns that identify a job under its lease. */
export function held({ id, attempt, token }: Lease): [string, number, string] {
  return [keyOf(id), attempt, token];
}

/** The reason why a write under a lease had no effect. */
function refusal(row: RecordRow | undefined): WriteAnswer {
  if (row === undefined) return "unknown";
  return row.phase >= phase.ended ? "ended" : "stale";
}
