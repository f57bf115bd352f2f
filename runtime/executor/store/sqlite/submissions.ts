import { randomUUID } from "node:crypto";
import type { JobUrn } from "../../../job/job.ts";
import type { Lease, NewJob } from "../job-store.ts";
import { phase } from "../phase.ts";
import { inLineOf } from "../in-line.ts";
import { keyOf, type RecordRow } from "../rows.ts";
import type { TakenAnswer } from "../refusal.ts";
import type { JobLimit } from "../../../job/limits/job-limit.ts";
import type { Limits } from "./limits.ts";
import type { ClaimableJobs } from "./claimable-jobs.ts";
import type { CommittedNews } from "./committed-news.ts";
import type { Housekeeping } from "./housekeeping.ts";
import { recordOf, rowOf } from "./reads.ts";
import type { Statements } from "./statements.ts";

/** Lease of a job that is claimed when it is submitted. */
interface FirstLease {
  readonly lease: Lease;
  /** End of the lease in milliseconds since 1970. */
  readonly until: number;
  readonly worker: string | undefined;
}

/** The parts of a table that are notified of a new job. */
interface TableParts {
  readonly sql: Statements;
  readonly now: () => number;
  readonly housekeeping: Housekeeping;
  readonly claimable: ClaimableJobs;
  readonly news: CommittedNews;
  readonly limits: Limits;
  /** Cancels a job that is replaced by a newer one. */
  readonly cancel: (id: JobUrn) => unknown;
}

/** Stores jobs, once per id and per idempotency key. */
export class Submissions {
  readonly #parts: TableParts;

  constructor(parts: TableParts) {
    this.#parts = parts;
  }

  submit(job: NewJob, input: string | null, leaseSeconds?: number, worker?: string): TakenAnswer {
    const { sql, housekeeping, limits } = this.#parts;
    const { idempotency, owner = null } = job;
    if (idempotency !== undefined) {
      const known = housekeeping.valid(sql.findKey.get(idempotency.key, owner) as unknown as RecordRow | undefined);
      if (known !== undefined) {
        const same = known.idempotency_digest === idempotency.digest;
        return same ? { kind: "existing", record: recordOf(sql, known) } : { kind: "conflict" };
      }
    }
    const { limit } = job;
    const joined = limit && this.#join(job, limit, input);
    if (joined !== undefined) return { kind: "existing", record: recordOf(sql, joined) };
    const wait = limit === undefined ? 0 : this.#makeRoom(job.id, limit);
    if (limit?.beyond === "refuse" && wait > 0) return { kind: "refused", ...(wait < Infinity && { wait }) };
    const now = this.#parts.now();
    const lease = leaseSeconds === undefined || wait > 0 ? undefined : { id: job.id, attempt: 1, token: randomUUID() };
    const first = lease && { lease, until: now + (leaseSeconds ?? 0) * 1000, worker };
    const insert = (): TakenAnswer | undefined => {
      const seq = this.#insert(job, input, now, wait > 0 ? "held" : first);
      if (seq === undefined) return undefined;
      if (limit !== undefined && wait > 0) {
        const { ahead, start } = limits.held(job, limit, seq);
        return { kind: "created", waiting: inLineOf(limit.key, ahead, start) };
      }
      if (limit !== undefined) limits.placed(limit);
      return lease === undefined ? { kind: "created" } : { kind: "created", lease };
    };
    const created = insert();
    if (created !== undefined) return created;
    const known = housekeeping.valid(rowOf(sql, job.id));
    if (known === undefined) {
      // The existing row had expired and is dropped now, so the insertion is repeated.
      return insert() ?? { kind: "conflict" };
    }
    const { idempotency_digest: digest } = known;
    const differs = digest !== null && idempotency !== undefined && digest !== idempotency.digest;
    if (known.tool !== job.tool || differs) return { kind: "conflict" };
    return { kind: "existing", record: recordOf(sql, known) };
  }

  /** Debounces: gives the request to a job of the same caller that has not started. */
  #join(job: NewJob, limit: JobLimit, input: string | null): RecordRow | undefined {
    const { sql, housekeeping, limits } = this.#parts;
    if (limit.debounce === undefined || housekeeping.valid(rowOf(sql, job.id)) !== undefined) return undefined;
    const { owner = null, headStart = null } = job;
    return limits.join(limit, { input, caller: callerOf(job), owner, headStart });
  }

  /**
   * Reserves a slot for a new job. Returns 0, or how long the job has to wait; see {@link Limits.enter}. A job that is
   * stored already uses up no start of a rate, replaces no job, and is not refused.
   */
  #makeRoom(id: JobUrn, limit: JobLimit): number {
    const { sql, housekeeping, limits, cancel } = this.#parts;
    if (limit.debounce !== undefined) return limit.debounce.wait;
    const isPlain = limit.rate === undefined && limit.beyond === undefined;
    if (!isPlain && housekeeping.valid(rowOf(sql, id)) !== undefined) return 0;
    for (;;) {
      const wait = limits.enter(limit);
      const oldest = wait > 0 && limit.beyond === "replace" ? limits.oldest(limit.key) : undefined;
      if (oldest === undefined) return wait;
      cancel(oldest);
    }
  }

  /** Stores a row and returns its number; undefined when there is a row with this id. */
  #insert(job: NewJob, input: string | null, now: number, first: FirstLease | "held" | undefined): number | undefined {
    const { sql, claimable, news, limits } = this.#parts;
    const { id, tool, owner = null, idempotency, ttl, maxAttempts } = job;
    const { traceparent = null, tracestate = null, baggage = null, limit } = job;
    const caller = callerOf(job);
    const talk = job.talk === undefined ? null : JSON.stringify(job.talk);
    const key = idempotency?.key ?? null;
    const digest = idempotency?.digest ?? null;
    claimable.hasTool(tool, job.headStart !== undefined);
    if (first === undefined) news.ready(tool);
    const state =
      first === "held"
        ? [phase.held, now, 0, null, null, null]
        : first === undefined
          ? [phase.pending, now, 0, null, null, null]
          : [phase.executing, first.until, first.lease.attempt, first.lease.token, now, first.worker ?? null];
    const trace = [traceparent, tracestate, baggage];
    const values = [keyOf(id), maxAttempts, ttl, tool, owner, key, digest, ...trace, caller, talk, input];
    const rate = [limit?.rate?.pace ?? null, limit?.rate?.burst ?? null];
    const wakes = limit?.debounce === undefined ? null : now + limit.debounce.wait;
    const { headStart } = job;
    const early = [headStart ?? null, headStart === undefined ? null : now - headStart];
    const numbers = [limit?.key ?? null, limit?.jobs ?? null, ...rate, wakes, ...early];
    const seq = limits.place();
    return sql.insert.run(seq, ...state, ...values, ...numbers).changes === 1 ? seq : undefined;
  }
}

function callerOf({ caller }: NewJob): string | null {
  return caller === undefined ? null : JSON.stringify(caller);
}
