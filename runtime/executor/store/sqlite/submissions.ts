import { randomUUID } from "node:crypto";
import type { JobUrn } from "../../../job/job.ts";
import type { Lease, NewJob, SubmitAnswer } from "../job-store.ts";
import { phase } from "../phase.ts";
import { inLineOf } from "../in-line.ts";
import { keyOf } from "../rows.ts";
import type { TakenAnswer } from "../refusal.ts";
import type { JobLimit } from "../../../job/limits/job-limit.ts";
import type { Limits } from "./limits.ts";
import type { RecordRow } from "../rows.ts";
import type { ClaimableJobs } from "./claimable-jobs.ts";
import type { CommittedNews } from "./committed-news.ts";
import type { Housekeeping } from "./housekeeping.ts";
import { recordOf, rowOf, turnOf } from "./reads.ts";
import type { Statements } from "./statements.ts";

/** Lease of a job that is claimed when it is submitted. */
interface FirstLease {
  readonly lease: Lease;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly worker: string | undefined;
}

/** The parts of a table that take note of a new job. */
interface TableParts {
  readonly sql: Statements;
  readonly now: () => number;
  readonly housekeeping: Housekeeping;
  readonly claimable: ClaimableJobs;
  readonly news: CommittedNews;
  readonly limits: Limits;
  /** Cancels a job that gives its place to a newer one. */
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
    const isNew = limit !== undefined && housekeeping.valid(rowOf(sql, job.id)) === undefined;
    const joined = isNew ? limits.join(limit, { input, caller: callerOf(job), owner }) : undefined;
    if (joined !== undefined) return { kind: "existing", record: recordOf(sql, joined) };
    const wait = isNew ? this.#makeRoom(limit) : 0;
    if (limit !== undefined && wait > 0) {
      if (limit.beyond === "refuse") return { kind: "refused", ...(wait < Infinity && { wait }) };
      this.#insert(job, input, this.#parts.now(), "held");
      limits.waits(limit);
      const row = sql.findId.get(keyOf(job.id)) as unknown as RecordRow;
      const { ahead, start } = turnOf(sql, row);
      return { kind: "created", waiting: inLineOf(limit.key, ahead, start) };
    }
    const lease = leaseSeconds === undefined ? undefined : { id: job.id, attempt: 1, token: randomUUID() };
    const now = this.#parts.now();
    const first = lease === undefined ? undefined : { lease, until: now + (leaseSeconds ?? 0) * 1000, worker };
    const created: SubmitAnswer = lease === undefined ? { kind: "created" } : { kind: "created", lease };
    if (this.#insert(job, input, now, first)) return created;
    const known = housekeeping.valid(rowOf(sql, job.id));
    if (known === undefined) {
      // The existing row had expired, and is dropped now.
      this.#insert(job, input, now, first);
      return created;
    }
    const { idempotency_digest: digest } = known;
    const differs = digest !== null && idempotency !== undefined && digest !== idempotency.digest;
    if (known.tool !== job.tool || differs) return { kind: "conflict" };
    return { kind: "existing", record: recordOf(sql, known) };
  }

  /** Takes a place for a new job: 0, or how long that is to wait; see {@link Limits.enter}. */
  #makeRoom(limit: JobLimit): number {
    if (limit.debounce !== undefined) return limit.debounce.wait;
    const { limits, cancel } = this.#parts;
    for (;;) {
      const wait = limits.enter(limit);
      const oldest = wait > 0 && limit.beyond === "replace" ? limits.oldest(limit.key) : undefined;
      if (oldest === undefined) return wait;
      cancel(oldest);
    }
  }

  #insert(job: NewJob, input: string | null, now: number, first: FirstLease | "held" | undefined): boolean {
    const { sql, claimable, news } = this.#parts;
    const { id, tool, owner = null, idempotency, ttl, maxAttempts } = job;
    const { traceparent = null, tracestate = null, baggage = null, limit } = job;
    const caller = callerOf(job);
    const talk = job.talk === undefined ? null : JSON.stringify(job.talk);
    const key = idempotency?.key ?? null;
    const digest = idempotency?.digest ?? null;
    claimable.hasTool(tool);
    if (first === undefined) news.ready(tool);
    const state =
      first === "held"
        ? [phase.held, now, 0, null, null, null]
        : first === undefined
          ? [phase.pending, now, 0, null, null, null]
          : [phase.executing, first.until, first.lease.attempt, first.lease.token, now, first.worker ?? null];
    const trace = [traceparent, tracestate, baggage];
    const values = [keyOf(id), maxAttempts, ttl, tool, owner, key, digest, ...trace, caller, talk, input];
    const wakes = limit?.debounce === undefined ? null : now + limit.debounce.wait;
    const terms = [limit?.jobs ?? null, limit?.rate?.pace ?? null, limit?.rate?.burst ?? null, wakes];
    return sql.insert.run(...state, ...values, limit?.key ?? null, ...terms).changes === 1;
  }
}

function callerOf({ caller }: NewJob): string | null {
  return caller === undefined ? null : JSON.stringify(caller);
}
