import type {
  Claim,
  ClaimOptions,
  JobRecord,
  Lease,
  NewJob,
  RenewAnswer,
  ReplyAnswer,
  SendAnswer,
  StoredEvent,
  StoredOutcome,
  SubmitAnswer,
  WriteAnswer,
} from "../job-store.ts";
import { Alarm } from "../alarm.ts";
import type { JobAttempt } from "../attempts.ts";
import type { LastingStore } from "../lasting-store.ts";
import { endsDead, type DeadLetter } from "../dead-letters.ts";
import type { KeyQuery, TellsHeld } from "../held-jobs.ts";
import type { ToolCounts } from "../job-counts.ts";
import type { ListedJob, ListFilter, ListPage } from "../listed-jobs.ts";
import { ToolError } from "../../../base/errors.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { KeptParts, NewMessage, Parking, StepWrite } from "../../../job/steps/kept-step.ts";
import type { Reply, Talk } from "../../../job/question.ts";
import { JobNews, type JobChange } from "../job-news.ts";
import { CommittedNews } from "./committed-news.ts";
import { GroupCommit } from "./group-commit.ts";
import { JobTable } from "./job-table.ts";
import { openDatabase, type OpenDatabase } from "./open-database.ts";
import { toColumns } from "../rows.ts";
import { orRefuse } from "../refusal.ts";
import { cannotWrite, closed, toToolError } from "./sqlite-error.ts";
import type { ScheduleTable } from "../schedule-table.ts";
import { sqliteSchedules } from "./schedules.ts";
import { housekeepingOptions, type SqliteStoreOptions } from "./store-options.ts";
import { maxResultBytes, resultTooLarge } from "../../../job/result-bytes.ts";
import type { MaybePromise } from "../maybe-promise.ts";

/**
 * Milliseconds for which the store counts as unusable after a refused write, which is the time that callers are asked
 * to wait.
 */
const retryTime = 30_000;

/**
 * Jobs in one SQLite file that this process owns. An acknowledged write survives the process and, as far as the disk
 * keeps its promises, the machine. Calls in one turn of the event loop are committed together. Throws a `StoreError`
 * when the file cannot be used; later failures are `ToolError`s.
 */
export function openSqliteStore(file: string, options: SqliteStoreOptions = {}): LastingStore {
  return new SqliteStore(openDatabase(file, options.maxBytes), options);
}

class SqliteStore implements LastingStore {
  readonly #open: OpenDatabase;
  readonly #table: JobTable;
  readonly #commits: GroupCommit;
  readonly #news = new JobNews();
  readonly #alarm = new Alarm(() => this.#news.tellReady(undefined));
  readonly schedules: ScheduleTable;
  #closing: Promise<void> | undefined;
  /** Time at which the disk last refused a write. */
  #refusedAt = -retryTime;

  constructor(open: OpenDatabase, options: SqliteStoreOptions) {
    this.#open = open;
    const news = new CommittedNews(this.#news);
    const { keptInput } = options;
    this.#table = new JobTable(open.database, { ...housekeepingOptions(options), keptInput }, news, this.#alarm);
    this.#commits = new GroupCommit(open.database, {
      beforeCommit: () => this.#table.housekeeping.evict(),
      committed: () => news.tell(),
      rolledBack: () => {
        news.drop();
        this.#table.forget();
      },
      toError: (error) => {
        if (cannotWrite(error)) this.#refusedAt = performance.now();
        return toToolError(error, open.file);
      },
    });
    // Schedules go by the machine's clock; the other times of the store by one that does not jump.
    const { now = Date.now } = options;
    this.schedules = sqliteSchedules(open.database, now, (operation) => this.#run(operation));
    if (options.leaseGrace !== undefined) this.#table.housekeeping.spareLeases(options.leaseGrace);
    if (options.endLeases === true) this.#table.housekeeping.endLeases(Number.MAX_SAFE_INTEGER);
  }

  submit(job: NewJob, leaseSeconds?: number, worker?: string): Promise<SubmitAnswer> {
    // The input is serialised at once, since the caller may change it later.
    const input = job.input === undefined ? null : JSON.stringify(job.input);
    const taken = this.#run(() => this.#table.submit(job, input, leaseSeconds, worker));
    return taken.then((answer) => orRefuse(answer, job.limit));
  }

  claim(options: ClaimOptions): Promise<Claim | undefined> {
    return this.#run(() => this.#table.claim(options));
  }

  renew(lease: Lease, seconds: number): Promise<RenewAnswer> {
    return this.#run(() => this.#table.renew(lease, seconds));
  }

  progress(lease: Lease, events: readonly StoredEvent[]): Promise<WriteAnswer> {
    const rows = events.map(({ sequence, body }) => ({ sequence, body: JSON.stringify(body) }));
    return this.#run(() => this.#table.progress(lease, rows));
  }

  settle(lease: Lease, outcome: StoredOutcome): Promise<WriteAnswer> {
    const columns = toColumns(outcome);
    if (Buffer.byteLength(columns.content) > maxResultBytes)
      return Promise.reject(new ToolError("too-large", resultTooLarge));
    return this.#run(() => this.#table.settle(lease, columns, endsDead(outcome)));
  }

  release(lease: Lease, delay: number): Promise<WriteAnswer> {
    return this.#run(() => this.#table.release(lease, delay));
  }

  keep(lease: Lease, steps: readonly StepWrite[]): Promise<WriteAnswer> {
    return this.#run(() => this.#table.keep(lease, steps));
  }

  park(lease: Lease, parking: Parking): Promise<WriteAnswer> {
    return this.#run(() => this.#table.park(lease, parking));
  }

  send(id: JobUrn, message: NewMessage): Promise<SendAnswer> {
    return this.#run(() => this.#table.send(id, message));
  }

  recall(id: JobUrn, only?: "messages"): MaybePromise<KeptParts> {
    return this.#read(() => this.#table.recall(id, only));
  }

  fork(id: JobUrn, as: JobUrn, keys: readonly string[]): Promise<"ok" | "unknown"> {
    return this.#run(() => this.#table.fork(id, as, keys));
  }

  ask(lease: Lease, talk: Talk): Promise<WriteAnswer> {
    const text = JSON.stringify(talk);
    return this.#run(() => this.#table.ask(lease, text));
  }

  answer(id: JobUrn, replies: readonly Reply[]): Promise<ReplyAnswer> {
    const text = JSON.stringify(replies);
    return this.#run(() => this.#table.answer(id, text));
  }

  cancel(id: JobUrn, reason: string): Promise<WriteAnswer> {
    return this.#run(() => this.#table.cancel(id, reason));
  }

  get(id: JobUrn): MaybePromise<JobRecord | undefined> {
    return this.#read(() => this.#table.get(id));
  }

  async reap(): Promise<void> {
    await this.#run(() => this.#table.housekeeping.endLeases());
    // Jobs are dropped in batches, so that ten thousand expiring jobs do not block other operations.
    while (await this.#run(() => this.#table.housekeeping.dropExpired()));
  }

  extendLeases(grace: number): Promise<void> {
    return this.#run(() => this.#table.housekeeping.extendLeases(grace));
  }

  lose(lease: Lease, detail: string): Promise<WriteAnswer> {
    return this.#run(() => this.#table.lose(lease, detail));
  }

  deadLetters(limit = 100): MaybePromise<readonly DeadLetter[]> {
    return this.#read(() => this.#table.housekeeping.deadLetters(limit));
  }

  heldJobs(keys: number): ReturnType<TellsHeld["heldJobs"]> {
    return this.#read(() => this.#table.lists.heldJobs(keys));
  }

  jobsOfKey(query: KeyQuery): ReturnType<TellsHeld["jobsOfKey"]> {
    return this.#read(() => this.#table.lists.jobsOfKey(query));
  }

  counts(): MaybePromise<readonly ToolCounts[]> {
    return this.#read(() => this.#table.lists.counts());
  }

  list(before: number, limit: number, filter?: ListFilter): MaybePromise<ListPage> {
    return this.#read(() => this.#table.lists.list(before, limit, filter));
  }

  listed(id: JobUrn): MaybePromise<ListedJob | undefined> {
    return this.#read(() => this.#table.lists.listed(id));
  }

  input(id: JobUrn): unknown {
    return this.#read(() => this.#table.lists.input(id));
  }

  attempts(id: JobUrn): MaybePromise<readonly JobAttempt[]> {
    return this.#read(() => this.#table.lists.attempts(id));
  }

  redrive(id: JobUrn): Promise<"ok" | "unknown"> {
    return this.#run(() => this.#table.housekeeping.redrive(id));
  }

  watch(id: JobUrn, listener: (change: JobChange) => void): () => void {
    return this.#news.watch(id, listener);
  }

  ready(listener: (tools: readonly string[] | undefined) => void): () => void {
    return this.#news.ready(listener);
  }

  trouble(): string | undefined {
    // The store counts as usable again after the time that callers are asked to wait: without new requests, nothing
    // would be written that could show this.
    return performance.now() - this.#refusedAt < retryTime ? "The job store cannot be written." : undefined;
  }

  close(): Promise<void> {
    this.#alarm.stop();
    this.#closing ??= this.#commits.drained().finally(() => this.#open.close());
    return this.#closing;
  }

  #run<T>(operation: () => T): Promise<T> {
    return this.#closing === undefined ? this.#commits.run(operation) : Promise.reject(closed());
  }

  /**
   * Reads at once while no operation is pending, otherwise in order, so that callers do not see data that may be rolled
   * back.
   */
  #read<T>(operation: () => T): MaybePromise<T> {
    if (this.#closing !== undefined || !this.#commits.empty) return this.#run(operation);
    try {
      return operation();
    } catch (error) {
      throw toToolError(error, this.#open.file);
    }
  }
}
