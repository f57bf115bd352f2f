import {
  maxKept,
  maxKeptBytes,
  type KeptParts,
  type NewMessage,
  type Parking,
  type StepWrite,
} from "../../../job/steps/kept-step.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { Lease, SendAnswer } from "../job-store.ts";
import { phase } from "../phase.ts";
import { keyOf } from "../rows.ts";
import { stepColumns, toStoredMessage, toStoredStep, type MessageRow, type StepRow } from "../step-rows.ts";
import { never } from "../shared-rules.ts";
import type { ClaimableJobs } from "./claimable-jobs.ts";
import type { CommittedNews } from "./committed-news.ts";
import type { Limits } from "./limits.ts";
import type { Statements } from "./statements.ts";

export interface KeptTableOptions {
  readonly sql: Statements;
  readonly now: () => number;
  readonly claimable: ClaimableJobs;
  readonly news: CommittedNews;
  readonly limits: Pick<Limits, "letIn" | "place">;
}

/** Steps and messages of jobs, as SQL. Writes under a lease return undefined if the lease does not hold the job. */
export class KeptTable {
  readonly #options: KeptTableOptions;

  constructor(options: KeptTableOptions) {
    this.#options = options;
  }

  keep(lease: Lease, steps: readonly StepWrite[]): "ok" | undefined {
    const { sql } = this.#options;
    const found = sql.findHeldOrCancelled.get(keyOf(lease.id), lease.attempt, lease.token);
    const job = found?.["seq"];
    if (typeof job !== "number") return undefined;
    const now = this.#options.now();
    sql.marksKept.run(job);
    for (const step of steps) {
      const due = step.delay === undefined ? (step.until ?? null) : now + step.delay;
      const ended = step.state === "running" ? null : now;
      sql.keepStep.run(job, lease.attempt, due, now - (step.took ?? 0), ended, ...stepColumns(step));
    }
    return found?.["phase"] === phase.executing ? "ok" : undefined;
  }

  park({ id, attempt, token }: Lease, { delay, until = never, waits }: Parking): "ok" | undefined {
    const { sql, now, claimable, news, limits } = this.#options;
    const due = delay === undefined ? until : now() + delay;
    const [row] = sql.park.all(waits.join("\n"), due, now(), keyOf(id), attempt, token);
    if (row === undefined) return undefined;
    if (row["phase"] === phase.pending) news.any();
    else {
      claimable.isDelayed(due);
      news.changed(id, "unknown");
      limits.letIn(row["limit_key"] as string | null);
    }
    return "ok";
  }

  send(job: number, id: JobUrn, { name, body, once, sender }: NewMessage): SendAnswer {
    const { sql, now, news, limits } = this.#options;
    if (once !== undefined && sql.messageOnce.get(job, once) !== undefined) return "known";
    const { count, bytes, last } = sql.messageTotals.get(job) as { count: number; bytes: number; last: number };
    if (count >= maxKept || bytes + Buffer.byteLength(body) > maxKeptBytes) return "full";
    sql.marksSent.run(job);
    sql.addMessage.run(job, last + 1, name, body, once ?? null, sender ?? null, now());
    const woken = sql.wake.get(limits.place(), now(), now(), job, name);
    if (woken !== undefined) {
      limits.letIn(woken["limit_key"] as string | null);
      news.any();
    }
    news.changed(id, "answers");
    return "ok";
  }

  fork(id: JobUrn, as: JobUrn, keys: readonly string[]): "ok" | "unknown" {
    const { sql, now, claimable, news, limits } = this.#options;
    type Made = {
      readonly seq: number;
      readonly tool: string;
      readonly limit_key: string | null;
      head_start: number | null;
    };
    const [made] = sql.fork.all(now(), keyOf(as), keyOf(id), limits.place()) as unknown as Made[];
    if (made === undefined) return "unknown";
    for (const key of keys) sql.forkStep.run(made.seq, keyOf(id), key);
    claimable.hasTool(made.tool, made.head_start !== null);
    if (made.limit_key === null) news.ready(made.tool);
    limits.letIn(made.limit_key);
    return "ok";
  }

  recall(job: number, only?: "messages"): KeptParts {
    const { sql, now } = this.#options;
    const steps = only === undefined ? (sql.steps.all(now(), job) as unknown as StepRow[]) : [];
    return {
      steps: steps.map(toStoredStep),
      messages: (sql.messages.all(job) as unknown as MessageRow[]).map(toStoredMessage),
    };
  }
}
