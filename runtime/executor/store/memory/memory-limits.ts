import type { JobUrn } from "../../../job/job.ts";
import type { JobDebounce } from "../../../job/limits/job-limit.ts";
import type { NewMessage, Parking } from "../../../job/steps/kept-step.ts";
import type { JobOfKey, KeyQuery } from "../held-jobs.ts";
import { inLineOf } from "../in-line.ts";
// oxfmt-ignore
import type {
  Claim, ClaimOptions, JobRecord, JobStore, Lease, NewJob, SendAnswer, StoredOutcome, SubmitAnswer, WriteAnswer,
} from "../job-store.ts";
import { limitError, replacedReason } from "../refusal.ts";
import { count } from "./count-waiting.ts";
import { DueTimes } from "./due-times.ts";
import { HeadStarts } from "./head-starts.ts";
import { heldOf, jobsOf, type HeldJobs } from "./held-lines.ts";
import type { Line } from "./limit-line.ts";
import { keyOf, oldestPending, type LiveJob } from "./live-job.ts";
import type { LimitParts } from "./limit-parts.ts";
import { Lines } from "./lines.ts";
import type { MaybePromise } from "../maybe-promise.ts";

/** The methods of a store that limits change. */
// oxfmt-ignore
export const changed = [
  "submit", "claim", "settle", "release", "park", "send", "fork", "cancel", "get", "reap",
] as const;
export type Changed = Pick<JobStore, (typeof changed)[number]>;

/** Limits and head starts of a memory store. */
export class MemoryLimits implements Changed {
  readonly #store: Changed;
  readonly #parts: LimitParts;
  readonly #lines: Lines;
  readonly #starts: HeadStarts;
  /** Parked and delayed jobs. Each joins its queue again when it becomes claimable. */
  readonly #away = new DueTimes<LiveJob>();
  /** Milliseconds since 1970 at which a job began to wait. */
  readonly #since = new WeakMap<LiveJob, number>();
  /** Ids of jobs that are being forked from other jobs. */
  readonly #forks = new Set<JobUrn>();

  constructor(store: Changed, parts: LimitParts) {
    this.#store = store;
    this.#parts = parts;
    this.#starts = new HeadStarts(parts);
    this.#lines = new Lines(parts, this.#starts);
  }

  submit(job: NewJob, leaseSeconds?: number): MaybePromise<SubmitAnswer> {
    const { limit } = job;
    // The job is submitted with a lease, so that no other worker claims it meanwhile.
    const answer = this.#store.submit(job, leaseSeconds ?? (limit && 1)) as SubmitAnswer;
    const live = this.#parts.live.get(job.id);
    if (answer.kind === "created" && live !== undefined) this.#starts.joins(live);
    const lease = answer.kind === "created" ? answer.lease : undefined;
    if (limit === undefined || lease === undefined || live === undefined) return answer;
    const line = this.#lines.of(live);
    line.terms(limit);
    this.#lines.letIn([line]);
    if (limit.debounce !== undefined) return this.#debounce(line, live, lease, limit.debounce);
    while (line.room === 0 && limit.beyond !== undefined) {
      const [oldest] = line.placed;
      if (limit.beyond === "refuse" || oldest === undefined) {
        this.#forget(job);
        throw limitError(limit, line.wait(0));
      }
      void this.cancel(oldest.job.id, replacedReason);
    }
    // The queue is added again: it may have been dropped meanwhile, since it was empty.
    this.#lines.add(line);
    // Jobs that are delayed by a debounce are not waited for.
    const hasPlace = line.isOpen;
    if (hasPlace) line.place(live);
    else {
      this.#hold(line, live);
      this.#lines.plan(line);
    }
    if (hasPlace && leaseSeconds !== undefined) return answer;
    void this.#store.release(lease, hasPlace ? 0 : Infinity);
    live.past = undefined;
    const waiting = this.#waitingOf(live);
    // The answer is asynchronous, as in other stores: a caller of this job waits for another object.
    return waiting === undefined ? { kind: "created" } : Promise.resolve({ kind: "created", waiting });
  }

  /**
   * Merges a debounced request into a job of the same caller that has not started; without such a job, the new job
   * waits for further requests.
   */
  #debounce(line: Line, live: LiveJob, lease: Lease, debounce: JobDebounce): MaybePromise<SubmitAnswer> {
    const { job } = live;
    // The queue is added again, since an empty queue may have been dropped.
    this.#lines.add(line);
    const known = line.joinable(job.owner);
    line.debounce(known ?? live, debounce);
    if (known === undefined) {
      this.#hold(line, live);
      void this.#store.release(lease, Infinity);
      live.past = undefined;
      this.#lines.plan(line);
    } else {
      this.#forget(job);
      this.#starts.replaces(known, job);
      this.#join(line, known);
      // The job may start now, if the time of the debounce was lowered.
      this.#lines.letIn([line]);
    }
    const record = known && this.get(known.job.id);
    if (record !== undefined) return Promise.resolve({ kind: "existing", record });
    const waiting = this.#waitingOf(live);
    return Promise.resolve({ kind: "created", ...(waiting !== undefined && { waiting }) });
  }

  claim(options: ClaimOptions): Claim | undefined {
    this.#wake();
    const { live, now } = this.#parts;
    const named = this.#starts.named(options);
    const id = named?.id ?? oldestPending(live.inOrder(), now(), options)?.job.id;
    return named && id && (this.#store.claim({ ...named, id }) as Claim | undefined);
  }

  settle(lease: Lease, outcome: StoredOutcome): WriteAnswer {
    const live = this.#parts.live.get(lease.id);
    const answer = this.#store.settle(lease, outcome) as WriteAnswer;
    if (answer === "ok") this.#leave(live);
    return answer;
  }

  release(lease: Lease, delay: number): WriteAnswer {
    const answer = this.#store.release(lease, delay) as WriteAnswer;
    if (answer === "ok" && delay > 0) this.#leave(this.#parts.live.get(lease.id), true);
    return answer;
  }

  async park(lease: Lease, parking: Parking): Promise<WriteAnswer> {
    const answer = await this.#store.park(lease, parking);
    const live = this.#parts.live.get(lease.id);
    if (answer === "ok" && live?.waiting !== undefined) this.#leave(live, true);
    return answer;
  }

  async send(id: JobUrn, message: NewMessage): Promise<SendAnswer> {
    const answer = await this.#store.send(id, message);
    const live = this.#parts.live.get(id);
    if (live !== undefined && this.#away.of(live) !== undefined) this.#away.set(live, live.claimableFrom);
    this.#wake();
    return answer;
  }

  async fork(id: JobUrn, as: JobUrn, keys: readonly string[]): Promise<"ok" | "unknown"> {
    this.#forks.add(as);
    const answer = await this.#store.fork(id, as, keys);
    this.#wake();
    this.#forks.delete(as);
    return answer;
  }

  cancel(id: JobUrn, reason: string): WriteAnswer {
    const live = this.#parts.live.get(id);
    const answer = this.#store.cancel(id, reason) as WriteAnswer;
    if (answer === "ok") this.#leave(live);
    return answer;
  }

  get(id: JobUrn): JobRecord | undefined {
    const record = this.#store.get(id) as JobRecord | undefined;
    const live = this.#parts.live.get(id);
    const waiting = live && this.#waitingOf(live);
    return record === undefined || waiting === undefined ? record : { ...record, waiting };
  }

  reap(): void {
    const { live: all } = this.#parts;
    const running: { readonly live: LiveJob; readonly token: string | undefined }[] = [];
    for (const live of all.inOrder())
      if (live.state === "executing" && live.job.limit !== undefined) running.push({ live, token: live.token });
    void this.#store.reap();
    for (const { live, token } of running) {
      if (!all.has(live.job.id)) this.#leave(live);
      else if (live.state === "pending" && live.token !== token) this.#standFirst(live);
    }
    this.#lines.dropIdle();
    this.#wake();
  }

  /** Removes a new job, which was refused or has joined another one. */
  #forget(job: NewJob): void {
    this.#parts.live.delete(job.id);
    const key = keyOf(job);
    if (key !== undefined) this.#parts.keys.delete(key);
  }

  /** Called for a job that has lost its worker: frees its slot, and puts the job first in the queue. */
  #standFirst(live: LiveJob): void {
    const line = this.#lines.of(live);
    line.addFirst(live);
    live.claimableFrom = Infinity;
    this.#parts.live.hold(live);
    this.#lines.letIn([line]);
  }

  /** Adds jobs to their queues: parked and delayed jobs that have become claimable, and new copies of jobs (`fork`). */
  #wake(): void {
    const { live: all, now } = this.#parts;
    const woken = [...this.#away.due(now())];
    for (const id of this.#forks) {
      const live = all.get(id);
      if (live !== undefined && this.#forks.delete(id)) woken.push(live);
    }
    // All of them join their queues before a listener hears of the first one, since it may claim jobs.
    this.#lines.letIn(new Set(woken.flatMap((live) => this.#stand(live) ?? [])));
    this.#lines.look();
  }

  /** Adds a job to its queue, if it has one, which is returned. */
  #stand(live: LiveJob): Line | undefined {
    this.#starts.joins(live);
    if (live.job.limit === undefined) return undefined;
    const line = this.#lines.of(live);
    live.waiting = undefined;
    live.claimableFrom = Infinity;
    this.#hold(line, live);
    return line;
  }

  /**
   * Adds a job to its queue. Until the job is admitted, it is not in the list of claimable jobs, so that a search for
   * the next job does not have to skip it.
   */
  #hold(line: Line, live: LiveJob): void {
    this.#join(line, live);
    this.#since.set(live, Date.now());
    this.#parts.live.hold(live);
  }

  /** Puts a job at the end of a queue, or before others because of its head start. */
  #join(line: Line, live: LiveJob): void {
    line.add(live, this.#starts.positionOf(live));
    count(this.#parts.store, live);
  }

  /** Called when a job has ended, or (`comesBack`) is parked or delayed: its slot becomes free. */
  #leave(live: LiveJob | undefined, comesBack = false): void {
    if (live?.job.limit === undefined) return;
    if (comesBack) {
      this.#away.set(live, live.claimableFrom);
      // It is not claimed before it has joined its queue again.
      this.#parts.live.hold(live);
    } else this.#away.delete(live);
    const line = this.#lines.get(live.job.limit.key);
    if (line !== undefined) this.#lines.leave(line, live);
  }

  /** See {@link TellsHeld}. */
  heldJobs(most: number): HeldJobs {
    return heldOf(this.#lines.all, this.#since, most);
  }

  jobsOfKey(query: KeyQuery): readonly JobOfKey[] {
    return jobsOf(query, this.#lines.get(query.key), this.#away.values);
  }

  #waitingOf(live: LiveJob): JobRecord["waiting"] {
    const key = live.job.limit?.key;
    const line = this.#lines.get(key);
    if (key === undefined || line?.isWaiting(live) !== true) return undefined;
    const ahead = line.aheadOf(live);
    const wait = line.waitOf(live, ahead);
    return inLineOf(key, ahead, wait > 0 ? Date.now() + wait : undefined);
  }
}
