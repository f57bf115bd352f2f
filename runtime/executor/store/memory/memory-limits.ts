import type { JobUrn } from "../../../job/job.ts";
import type { JobDebounce } from "../../../job/limits/job-limit.ts";
import type { NewMessage, Parking } from "../../../job/steps/kept-step.ts";
import type { JobOfKey, KeyQuery } from "../held-jobs.ts";
import { inLineOf } from "../in-line.ts";
import { Alarm } from "../alarm.ts";
// oxfmt-ignore
import type {
  Claim, ClaimOptions, JobRecord, JobStore, Lease, MaybePromise, NewJob, SendAnswer, StoredOutcome, SubmitAnswer,
  WriteAnswer,
} from "../job-store.ts";
import { limitError, replacedReason } from "../refusal.ts";
import { HeadStarts } from "./head-starts.ts";
import { count } from "./count-waiting.ts";
import { heldOf, jobsOf, type HeldJobs } from "./held-lines.ts";
import { Line } from "./limit-line.ts";
import { keyOf, oldestPending, type LiveJob } from "./live-job.ts";
import type { LimitParts } from "./limit-parts.ts";

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
  readonly #lines = new Map<string, Line>();
  readonly #starts: HeadStarts;
  /** Parked and delayed jobs. Each joins its queue again when it becomes claimable. */
  readonly #away = new Set<LiveJob>();
  /** Milliseconds since 1970 at which a job began to wait. */
  readonly #since = new WeakMap<LiveJob, number>();
  /** Rings when a rate lets the next job start. */
  readonly #alarm: Alarm;
  #nextStart = Infinity;
  /** Ids of jobs that are being forked from other jobs. */
  readonly #forks = new Set<JobUrn>();

  constructor(store: Changed, parts: LimitParts) {
    this.#store = store;
    this.#parts = parts;
    this.#starts = new HeadStarts(parts.now);
    this.#alarm = new Alarm(() => this.#look());
  }

  submit(job: NewJob, leaseSeconds?: number): MaybePromise<SubmitAnswer> {
    const { limit } = job;
    // The job is submitted with a lease, so that no other worker claims it meanwhile.
    const answer = this.#store.submit(job, leaseSeconds ?? (limit && 1)) as SubmitAnswer;
    const live = this.#parts.live.get(job.id);
    if (answer.kind === "created" && live !== undefined) this.#starts.joins(live);
    const lease = answer.kind === "created" ? answer.lease : undefined;
    if (limit === undefined || lease === undefined || live === undefined) return answer;
    const line = this.#line(live);
    line.terms(limit);
    this.#letIn(line);
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
    this.#lines.set(line.key, line);
    // If there is room, all jobs that wait are delayed by a debounce, and this one does not wait for them.
    const hasPlace = line.room > 0;
    if (hasPlace) line.place(live);
    else {
      this.#hold(line, live);
      this.#setAlarm(line);
    }
    if (hasPlace && leaseSeconds !== undefined) return answer;
    void this.#store.release(lease, hasPlace ? 0 : Infinity);
    live.startedAt = 0;
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
    this.#lines.set(line.key, line);
    const known = line.joinable(job.owner);
    line.debounce(known ?? live, debounce);
    if (known === undefined) {
      this.#hold(line, live);
      void this.#store.release(lease, Infinity);
      live.startedAt = 0;
      this.#setAlarm(line);
    } else {
      this.#forget(job);
      this.#starts.replaces(known, job);
      this.#add(line, known);
      // The job may start now, if the time of the debounce was lowered.
      this.#letIn(line);
    }
    const record = known && this.get(known.job.id);
    if (record !== undefined) return Promise.resolve({ kind: "existing", record });
    const waiting = this.#waitingOf(live);
    return Promise.resolve({ kind: "created", ...(waiting !== undefined && { waiting }) });
  }

  claim(options: ClaimOptions): Claim | undefined {
    this.#wake();
    const { live, now } = this.#parts;
    const named = this.#starts.named(options, live.inOrder());
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
    const running = [...this.#lines.values()].flatMap((line) => {
      return [...line.placed].flatMap((live) =>
        live.state === "executing" ? [{ line, live, token: live.token }] : [],
      );
    });
    void this.#store.reap();
    for (const { line, live, token } of running) {
      if (!this.#parts.live.has(live.job.id)) this.#leave(live);
      else if (live.state === "pending" && live.token !== token) this.#standFirst(line, live);
    }
    this.#wake();
    this.#look();
  }

  /** Removes a new job, which was refused or has joined another one. */
  #forget(job: NewJob): void {
    this.#parts.live.delete(job.id);
    const key = keyOf(job);
    if (key !== undefined) this.#parts.keys.delete(key);
  }

  /** Adds a job to a queue: at the end, or before others because of its head start. */
  #add(line: Line, live: LiveJob): void {
    line.waiting.add(live);
    count(this.#parts.store, live);
    if (live.job.headStart !== undefined) line.order((jobs) => this.#starts.sorted(jobs));
  }

  /** Called for a job that has lost its worker: frees its slot, and puts the job first in the queue. */
  #standFirst(line: Line, live: LiveJob): void {
    line.placed.delete(live);
    this.#starts.comesFirst(live);
    line.order((others) => this.#starts.sorted([live, ...others]));
    live.claimableFrom = Infinity;
    this.#parts.live.hold(live);
    this.#letIn(line);
  }

  /** Adds jobs to their queues: parked and delayed jobs that have become claimable, and new copies of jobs (`fork`). */
  #wake(): void {
    const { live: all, now } = this.#parts;
    for (const id of this.#forks) {
      const live = all.get(id);
      if (live !== undefined && this.#forks.delete(id)) this.#stand(live);
    }
    for (const live of this.#away) if (live.claimableFrom <= now()) this.#stand(live);
    if (now() >= this.#nextStart) this.#look();
  }

  /** Admits jobs that a rate lets start by now, and drops queues whose buckets are full. */
  #look(): void {
    this.#nextStart = Infinity;
    for (const line of this.#lines.values()) if (line.isTimed) this.#letIn(line);
  }

  #stand(live: LiveJob): void {
    this.#away.delete(live);
    this.#starts.joins(live);
    if (live.job.limit === undefined) return;
    const line = this.#line(live);
    live.waiting = undefined;
    live.claimableFrom = Infinity;
    this.#hold(line, live);
    this.#letIn(line);
  }

  /**
   * Adds a job to its queue. Until the job is admitted, it is not in the list of claimable jobs, so that a search for
   * the next job does not have to skip it.
   */
  #hold(line: Line, live: LiveJob): void {
    this.#add(line, live);
    this.#since.set(live, Date.now());
    this.#parts.live.hold(live);
  }

  /** Called when a job has ended, or (`comesBack`) is parked or delayed: its slot becomes free. */
  #leave(live: LiveJob | undefined, comesBack = false): void {
    const line = live?.job.limit && this.#lines.get(live.job.limit.key);
    if (live?.job.limit === undefined) return;
    if (comesBack) this.#away.add(live);
    else this.#away.delete(live);
    if (line === undefined) return;
    line.remove(live);
    this.#letIn(line);
  }

  /** See {@link TellsHeld}. */
  heldJobs(most: number): HeldJobs {
    return heldOf([...this.#lines.values()], this.#since, most);
  }

  jobsOfKey(query: KeyQuery): readonly JobOfKey[] {
    return jobsOf(query, this.#lines.get(query.key), this.#away);
  }

  #line({ job: { limit } }: LiveJob): Line {
    const { key = "" } = limit ?? {};
    const line = this.#lines.get(key) ?? new Line(key, limit, this.#parts.now);
    this.#lines.set(key, line);
    return line;
  }

  #waitingOf(live: LiveJob): JobRecord["waiting"] {
    const key = live.job.limit?.key;
    const line = key === undefined ? undefined : this.#lines.get(key);
    if (key === undefined || line?.waiting.has(live) !== true) return undefined;
    const ahead = line.aheadOf(live);
    const wait = line.waitOf(live, ahead);
    return inLineOf(key, ahead, wait > 0 ? Date.now() + wait : undefined);
  }

  #setAlarm(line: Line): void {
    const wait = line.next;
    if (wait === 0) return;
    this.#nextStart = Math.min(this.#nextStart, this.#parts.now() + wait);
    this.#alarm.set(wait);
  }

  #letIn(line: Line): void {
    const { live: all, now, news } = this.#parts;
    for (const live of line.waiting) {
      if (line.room === 0) break;
      if (!line.isAwake(live)) continue;
      line.waiting.delete(live);
      line.place(live);
      live.claimableFrom = now();
      this.#starts.joins(live);
      // Moves the job behind those that became claimable before it.
      all.delete(live.job.id);
      all.set(live.job.id, live);
      news.tellReady([live.job.tool]);
    }
    this.#setAlarm(line);
    if (line.isEmpty) this.#lines.delete(line.key);
  }
}
