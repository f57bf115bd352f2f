import { randomUUID } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { JobUrn } from "../../job.ts";
import type { DeadLetter } from "../dead-letters.ts";
import type { ListedJob } from "../job-list.ts";
import type { Claim, JobRecord, Lease, NewJob, RenewAnswer, SubmitAnswer, WriteAnswer } from "../job-store.ts";
import { keyOf, outcomeOf, toClaim, toColumns, toDeadLetter, toListedJob, toRecord } from "./rows.ts";
import type { ClaimRow, DeadLetterRow, EventRow, ListRow, OutcomeColumns, RecordRow } from "./rows.ts";
import { phase } from "./schema.ts";
import { prepareAll } from "./statements.ts";
import type { Statements } from "./statements.ts";

const maxEvents = 1000;
/** Rows that one transaction drops. */
const dropAtOnce = 500;
const interrupted = toColumns({
  state: "error",
  error: { kind: "interrupted", message: "The job was interrupted: its worker stopped answering." },
}).content;

export interface JobTableOptions {
  readonly maxFinished: number;
  readonly maxDeadLetters: number;
  /** Seconds. */
  readonly deadLetterTtl: number;
  readonly now: () => number;
}

/** The verbs as SQL. Each call is one step of a transaction that somebody else begins and commits. */
export class JobTable {
  readonly #sql: Statements;
  readonly #options: JobTableOptions;
  /** Every tool that the table may have; the index of what can be claimed is by tool. */
  readonly #tools: Set<string>;
  /** Undefined: to be counted. */
  #finished: number | undefined;
  /** When the next delayed job may be claimed; too early is harmless, too late is not. */
  #nextDelayed = 0;

  constructor(database: DatabaseSync, options: JobTableOptions) {
    this.#sql = prepareAll(database);
    this.#options = options;
    this.#tools = new Set(Array.from(this.#sql.tools.iterate(), (row) => String(row["tool"])));
  }

  submit(job: NewJob, submission: string, leaseSeconds?: number): SubmitAnswer {
    const { idempotency, owner = null } = job;
    if (idempotency !== undefined) {
      const known = this.#valid(this.#sql.findKey.get(idempotency.key, owner));
      if (known !== undefined) {
        const same = known.idempotency_digest === idempotency.digest;
        return same ? { kind: "existing", record: this.#record(known) } : { kind: "conflict" };
      }
    }
    const lease = leaseSeconds === undefined ? undefined : { id: job.id, attempt: 1, token: randomUUID() };
    const until = this.#options.now() + (leaseSeconds ?? 0) * 1000;
    const created: SubmitAnswer = lease === undefined ? { kind: "created" } : { kind: "created", lease };
    if (this.#insert(job, submission, lease, until)) return created;
    const known = this.#valid(this.#sql.findId.get(keyOf(job.id)));
    if (known === undefined) {
      // It had expired, and is dropped now.
      this.#insert(job, submission, lease, until);
      return created;
    }
    const { idempotency_digest: digest } = known;
    const differs = digest !== null && idempotency !== undefined && digest !== idempotency.digest;
    if (known.tool !== job.tool || differs) return { kind: "conflict" };
    return { kind: "existing", record: this.#record(known) };
  }

  claim(options: {
    readonly seconds: number;
    readonly id?: JobUrn;
    readonly tools?: readonly string[];
  }): Claim | undefined {
    const now = this.#options.now();
    const token = randomUUID();
    const row = options.id === undefined ? this.#oldest(now, options.tools) : this.#claimable(options.id, now);
    if (row === undefined) return undefined;
    this.#sql.claim.run(now + options.seconds * 1000, row.attempt + 1, token, row.seq);
    // Also of an attempt that was handed back, and so does not count.
    return toClaim(row, token, Number(this.#sql.lastSequence.get(row.seq)?.["last"] ?? 0));
  }

  renew(lease: Lease, seconds: number): RenewAnswer {
    const until = this.#options.now() + seconds * 1000;
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
    for (const { sequence, body } of events) {
      if (sequence <= last) continue;
      this.#sql.addEvent.run(job, sequence, body);
      first ??= sequence;
      last = sequence;
    }
    if (last - Number(first) >= maxEvents) this.#sql.dropOldEvents.run(job, job, maxEvents);
    return "ok";
  }

  settle(lease: Lease, { outcome, content_type: contentType, content }: OutcomeColumns): WriteAnswer {
    const now = this.#options.now();
    const { changes } = this.#sql.settle.run(now, now, outcome, contentType, content, ...held(lease));
    if (changes !== 1) return refusal(this.#find(lease.id));
    if (this.#finished !== undefined) this.#finished++;
    return "ok";
  }

  release(lease: Lease, delay: number): WriteAnswer {
    const due = delay > 0 ? this.#options.now() + delay * 1000 : 0;
    const { changes } = this.#sql.release.run(due > 0 ? phase.delayed : phase.pending, due, ...held(lease));
    if (changes !== 1) return refusal(this.#find(lease.id));
    if (due > 0) this.#nextDelayed = Math.min(this.#nextDelayed, due);
    return "ok";
  }

  cancel(id: JobUrn, reason: string): WriteAnswer {
    const now = this.#options.now();
    const { content } = toColumns({ state: "cancelled", error: { kind: "cancelled", message: reason } });
    const { changes } = this.#sql.cancel.run(now, now, "cancelled", null, content, keyOf(id));
    if (changes !== 1) return this.#find(id) === undefined ? "unknown" : "ended";
    if (this.#finished !== undefined) this.#finished++;
    return "ok";
  }

  get(id: JobUrn): JobRecord | undefined {
    const row = this.#find(id);
    return row === undefined ? undefined : this.#record(row);
  }

  /** Puts back or ends the jobs whose lease has run out. */
  endLeases(): void {
    this.#endLeasesUntil(this.#options.now());
  }

  endAllLeases(): void {
    this.#endLeasesUntil(Number.MAX_SAFE_INTEGER);
  }

  /** Drops a portion of what has expired; true when there may be more. */
  dropExpired(): boolean {
    const now = this.#options.now();
    const ended = Number(this.#sql.dropExpired.run(now, dropAtOnce).changes);
    if (this.#finished !== undefined) this.#finished -= ended;
    const dead = Number(this.#sql.dropExpiredDead.run(now, dropAtOnce).changes);
    return ended === dropAtOnce || dead === dropAtOnce;
  }

  lose(lease: Lease, detail: string): WriteAnswer {
    if (this.#sql.lose.run(detail, ...held(lease)).changes !== 1) return refusal(this.#find(lease.id));
    this.#endLeasesUntil(-1);
    return "ok";
  }

  deadLetters(limit: number): readonly DeadLetter[] {
    return this.#sql.deadLetters.all(limit).map((row) => toDeadLetter(row as unknown as DeadLetterRow));
  }

  list(before: number, limit: number): readonly ListedJob[] {
    return this.#sql.list.all(before, limit).map((row) => toListedJob(row as unknown as ListRow));
  }

  redrive(id: JobUrn): "ok" | "unknown" {
    this.#sql.dropDeadEvents.run(keyOf(id));
    return this.#sql.redrive.run(keyOf(id)).changes === 1 ? "ok" : "unknown";
  }

  /** Drops finished jobs that are too many. */
  evict(): void {
    this.#finished ??= count(this.#sql.countFinished);
    const surplus = this.#finished - this.#options.maxFinished;
    if (surplus <= 0) return;
    this.#finished -= Number(this.#sql.dropFinished.run(surplus).changes);
  }

  /** The transaction was undone: nothing that was remembered about the rows holds. */
  forget(): void {
    this.#finished = undefined;
    this.#nextDelayed = 0;
  }

  #insert(job: NewJob, submission: string, lease: Lease | undefined, until: number): boolean {
    const { id, tool, owner = null, idempotency, ttl, maxAttempts } = job;
    const key = idempotency?.key ?? null;
    const digest = idempotency?.digest ?? null;
    this.#tools.add(tool);
    const state =
      lease === undefined ? [phase.pending, 0, 0, null] : [phase.executing, until, lease.attempt, lease.token];
    const values = [keyOf(id), maxAttempts, ttl, tool, owner, key, digest, submission];
    return this.#sql.insert.run(...state, ...values).changes === 1;
  }

  #endLeasesUntil(limit: number): void {
    const { now, deadLetterTtl, maxDeadLetters } = this.#options;
    const at = now();
    this.#sql.retry.run(limit);
    const { changes } = this.#sql.bury.run(at + deadLetterTtl * 1000, at, at, interrupted, limit);
    if (changes === 0) return;
    const surplus = count(this.#sql.countDead) - maxDeadLetters;
    if (surplus > 0) this.#sql.dropDead.run(surplus);
  }

  #claimable(id: JobUrn, now: number): ClaimRow | undefined {
    return this.#sql.claimable.get(keyOf(id), now) as unknown as ClaimRow | undefined;
  }

  #oldest(now: number, tools: readonly string[] | undefined): ClaimRow | undefined {
    this.#undelay(now);
    let oldest: ClaimRow | undefined;
    for (const tool of tools ?? this.#tools) {
      const row = this.#sql.oldest.get(tool) as unknown as ClaimRow | undefined;
      if (row !== undefined && (oldest === undefined || row.seq < oldest.seq)) oldest = row;
    }
    return oldest;
  }

  #undelay(now: number): void {
    if (now < this.#nextDelayed) return;
    this.#sql.undelay.run(now);
    this.#nextDelayed = Number(this.#sql.nextDelayed.get()?.["due"] ?? Infinity);
  }

  #find(id: JobUrn): RecordRow | undefined {
    const row = this.#sql.findId.get(keyOf(id)) as unknown as RecordRow | undefined;
    return row === undefined || this.#expired(row) ? undefined : row;
  }

  /** A row that is still valid; one that has expired makes room. */
  #valid(found: unknown): RecordRow | undefined {
    const row = found as RecordRow | undefined;
    if (row === undefined || !this.#expired(row)) return row;
    this.#sql.drop.run(row.seq);
    if (row.phase === phase.ended && this.#finished !== undefined) this.#finished--;
    return undefined;
  }

  #expired(row: RecordRow): boolean {
    if (row.phase < phase.ended) return false;
    return (row.phase === phase.ended ? row.due : (row.expires ?? 0)) <= this.#options.now();
  }

  #record(row: RecordRow): JobRecord {
    return toRecord(row, this.#sql.events.all(row.seq) as unknown as EventRow[]);
  }
}

function held({ id, attempt, token }: Lease): [string, number, string] {
  return [keyOf(id), attempt, token];
}

/** Why a write of a lease had no effect. */
function refusal(row: RecordRow | undefined): WriteAnswer {
  if (row === undefined) return "unknown";
  return row.phase >= phase.ended ? "ended" : "stale";
}

function count(statement: StatementSync): number {
  return Number(statement.get()?.["count"]);
}
