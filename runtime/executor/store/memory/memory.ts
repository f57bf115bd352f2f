import { CancelledJobs } from "./cancelled-jobs.ts";
import { newJobUrn } from "../../../job/job-id.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { JobAttempt, RemembersAttempts } from "../attempts.ts";
import { FinishedJobs, type FinishedJobsOptions } from "./finished-jobs.ts";
import { JobNews, type JobChange } from "../job-news.ts";
// oxfmt-ignore
import type {
  Claim, ClaimOptions, JobRecord, JobStore, Lease, NewJob, RenewAnswer, ReplyAnswer, SendAnswer, StoredEvent,
  StoredOutcome, SubmitAnswer, WriteAnswer,
} from "../job-store.ts";
import type { CountsJobs, ToolCounts } from "../job-counts.ts";
// oxfmt-ignore
import {
  claimedJob, endedRecord, hasSameBody, keyOf, leaveAttempt, newLiveJob, oldestPending, placeBytes, recordBase,
  type LiveJob,
} from "./live-job.ts";
import type { ListFilter, ListPage, ListsJobs } from "../listed-jobs.ts";
import { decodeRecord, encodeRecord } from "./record-codec.ts";
import type { KeptParts, NewMessage, Parking, StepWrite } from "../../../job/steps/kept-step.ts";
import type { Reply, Talk } from "../../../job/question.ts";
import { interruptedOutcome } from "../shared-rules.ts";
import type { MaybePromise } from "../maybe-promise.ts";

export interface MemoryStoreOptions extends Pick<FinishedJobsOptions, "perTool" | "maxBytes"> {
  /** Limit for the finished jobs of tools without a limit of their own, together; default 10000. */
  readonly maxFinished?: number;
  /** Milliseconds; default the monotonic clock. */
  readonly now?: () => number;
}

/**
 * Creates a store in the memory of this process, which loses its jobs when the process ends. Waiting and running jobs
 * are objects and never evicted. Finished jobs are bytes, limited in number and time; the oldest are dropped first.
 */
export function createMemoryStore(
  options: MemoryStoreOptions = {},
): JobStore & Pick<ListsJobs, "list"> & RemembersAttempts & CountsJobs {
  return new MemoryStore(options);
}

class MemoryStore implements JobStore, Pick<ListsJobs, "list">, RemembersAttempts, CountsJobs {
  readonly #now: () => number;
  #live = new Map<JobUrn, LiveJob>();
  readonly #liveKeys = new Map<string, LiveJob>();
  readonly #finished: FinishedJobs;
  readonly #news = new JobNews();
  readonly #cancelled = new CancelledJobs();
  #submitted = 0;
  /** Sum of the `bytes` of all jobs. */
  waitingBytes = 0;
  /** Set with the first job that has a limit or a head start. */
  declare hasLimits?: true;

  constructor({ maxFinished, now = () => performance.now(), ...options }: MemoryStoreOptions) {
    this.#now = now;
    this.#finished = new FinishedJobs({ ...options, shared: maxFinished, now });
  }

  get isEmpty(): boolean {
    return this.#live.size === 0;
  }

  submit(job: NewJob, leaseSeconds?: number): MaybePromise<SubmitAnswer> {
    if ((job.limit ?? job.headStart) !== undefined && !this.hasLimits) return this.#limited(job, leaseSeconds);
    const key = keyOf(job);
    const known = key === undefined ? undefined : this.#byKey(key);
    const ofKey = known === undefined ? undefined : this.get(known);
    const record = ofKey ?? this.get(job.id);
    if (record !== undefined) {
      // The bodies of one key are comparable, since the digest covers the tool's name too.
      const same = (record === ofKey || record.tool === job.tool) && hasSameBody(record, job);
      return same ? { kind: "existing", record } : { kind: "conflict" };
    }
    const live = newLiveJob(job, ++this.#submitted);
    this.#live.set(job.id, live);
    if (key !== undefined) this.#liveKeys.set(key, live);
    if (leaseSeconds !== undefined) return { kind: "created", lease: this.#lend(live, leaseSeconds) };
    live.claimableFrom = this.#now();
    this.#news.tellReady([job.tool]);
    return { kind: "created" };
  }

  claim(options: ClaimOptions): Claim | undefined {
    // Returns before the clock is read if there are no jobs: the first read loads a module of Node.
    if (this.#live.size === 0) return undefined;
    const now = this.#now();
    const live =
      options.id === undefined ? oldestPending(this.#live.values(), now, options) : this.#live.get(options.id);
    if (live === undefined || live.state !== "pending" || live.claimableFrom > now) return undefined;
    return {
      lease: this.#lend(live, options.seconds),
      job: claimedJob(live),
      lastSequence: live.events.events.at(-1)?.sequence ?? 0,
    };
  }

  renew(lease: Lease, seconds: number): RenewAnswer {
    const held = this.#held(lease);
    const outcome = held === "ended" ? this.get(lease.id)?.outcome : undefined;
    if (outcome?.state === "cancelled") return { cancel: outcome.error.message };
    if (typeof held === "string") return held;
    held.leaseUntil = this.#now() + seconds * 1000;
    return "ok";
  }

  progress(lease: Lease, events: readonly StoredEvent[]): WriteAnswer {
    return this.#write(lease, ({ events: known }) => {
      for (const event of events) if (event.sequence > (known.events.at(-1)?.sequence ?? 0)) known.push(event);
      this.#news.tell(lease.id, "events");
    });
  }

  settle(lease: Lease, outcome: StoredOutcome): WriteAnswer {
    return this.#write(lease, (held) => this.#finish(held, outcome));
  }

  release(lease: Lease, delay: number): WriteAnswer {
    const held = this.#held(lease);
    if (typeof held === "string") return held;
    leaveAttempt(held, "released");
    held.claimableFrom = this.#now() + delay * 1000;
    if (delay === 0) this.#news.tellReady([held.job.tool]);
    return "ok";
  }

  async keep(lease: Lease, steps: readonly StepWrite[]): Promise<WriteAnswer> {
    const { keepSteps } = await import("./memory-kept.ts");
    this.#cancelled.change(lease, (late) => keepSteps({ waitingBytes: 0 }, late, steps, this.#now()));
    return this.#write(lease, (held) => keepSteps(this, held, steps, this.#now()));
  }

  async park(lease: Lease, parking: Parking): Promise<WriteAnswer> {
    const { parkJob } = await import("./memory-kept.ts");
    return this.#write(lease, (held) => {
      if (parkJob(this, held, parking, this.#now())) this.#news.tellReady([held.job.tool]);
    });
  }

  async send(id: JobUrn, message: NewMessage): Promise<SendAnswer> {
    const { addMessage } = await import("./memory-kept.ts");
    const live = this.#live.get(id);
    if (live === undefined) return this.#gone(id);
    return addMessage(this, live, message, { now: this.#now(), news: this.#news });
  }

  async recall(id: JobUrn): Promise<KeptParts> {
    const { keptOf, partsOf } = await import("./memory-kept.ts");
    const record = this.get(id);
    const live = this.#live.get(id) ?? (record && this.#cancelled.get(id));
    return live === undefined ? partsOf(record) : keptOf(live, this.#now());
  }

  async fork(id: JobUrn, as: JobUrn, keys: readonly string[]): Promise<"ok" | "unknown"> {
    const { keptJob } = await import("./memory-kept.ts");
    const record = this.#live.has(id) ? undefined : this.get(id);
    // A job may have stored its first step after it was cancelled.
    const late = record && this.#cancelled.get(id);
    const job = record?.kept?.job ?? (late?.kept && late.job);
    if (job === undefined || this.get(as) !== undefined) return "unknown";
    const steps = (await this.recall(id)).steps.filter(({ key }) => keys.includes(key));
    this.#live.set(as, keptJob(this, { old: job, id: as, seq: ++this.#submitted, steps, now: this.#now() }));
    this.#news.tellReady([job.tool]);
    return "ok";
  }

  ask(lease: Lease, talk: Talk): WriteAnswer {
    return this.#write(lease, (held) => void (held.talk = talk));
  }

  async answer(id: JobUrn, replies: readonly Reply[]): Promise<ReplyAnswer> {
    const live = this.#live.get(id);
    if (live === undefined) return this.#gone(id);
    return (await import("./memory-list.ts")).addReplies(live, replies, this.#news);
  }

  cancel(id: JobUrn, reason: string): WriteAnswer {
    const live = this.#live.get(id);
    if (live === undefined) return this.#gone(id);
    this.#finish(live, { state: "cancelled", error: { kind: "cancelled", message: reason } });
    return "ok";
  }

  get(id: JobUrn): JobRecord | undefined {
    const live = this.#live.get(id);
    if (live === undefined) {
      const bytes = this.#finished.get(id);
      if (bytes === undefined) return undefined;
      return { ...decodeRecord(id, bytes.subarray(placeBytes)), endedAt: bytes.readDoubleLE(16) };
    }
    const { talk, replies, waiting } = live;
    return {
      ...recordBase(live),
      state: live.state,
      events: [...live.events.events],
      ...(talk !== undefined && { talk }),
      ...(replies !== undefined && { replies }),
      ...(waiting !== undefined && { waiting }),
    };
  }

  async list(before: number, limit: number, filter?: ListFilter): Promise<ListPage> {
    // Loaded with the first list that is requested.
    const { listJobs } = await import("./memory-list.ts");
    return listJobs(this.#live.values(), this.#finished.entries, { before, limit, filter, now: this.#now() });
  }

  async attempts(id: JobUrn): Promise<readonly JobAttempt[]> {
    return (await import("./memory-list.ts")).attemptsOf(id, this.#live.get(id) ?? this.#finished.get(id));
  }

  async counts(): Promise<readonly ToolCounts[]> {
    return (await import("./memory-list.ts")).countJobs(this.#live.values(), this.#now());
  }

  reap(): void {
    const now = this.#live.size === 0 ? 0 : this.#now();
    for (const live of this.#live.values()) {
      if (live.state !== "executing" || live.leaseUntil > now) continue;
      if (live.attempt < live.maxAttempts) {
        leaveAttempt(live, "lost");
        live.claimableFrom = now;
        this.#news.tellReady([live.job.tool]);
      } else this.#finish(live, interruptedOutcome);
    }
    this.#finished.dropExpired();
  }

  watch(id: JobUrn, listener: (change: JobChange) => void): () => void {
    return this.#news.watch(id, listener);
  }

  ready(listener: (tools: readonly string[] | undefined) => void): () => void {
    return this.#news.ready(listener);
  }

  close(): void {
    this.#live.clear();
    this.#liveKeys.clear();
  }

  #lend(live: LiveJob, seconds: number): Lease {
    const token = newJobUrn();
    this.#uncount(live, live.keptBytes);
    live.state = "executing";
    live.attempt++;
    live.waiting = undefined;
    live.startedAt = Date.now();
    live.token = token;
    live.leaseUntil = this.#now() + seconds * 1000;
    return { id: live.job.id, attempt: live.attempt, token };
  }

  /** Stops counting a job, except for these bytes. */
  #uncount(live: LiveJob, bytes = 0): void {
    this.waitingBytes += bytes - live.bytes;
    live.bytes = bytes;
  }

  #write(lease: Lease, change: (held: LiveJob) => void): WriteAnswer {
    const held = this.#held(lease);
    if (typeof held === "string") return held;
    change(held);
    return "ok";
  }

  #held(lease: Lease): LiveJob | WriteAnswer {
    const live = this.#live.get(lease.id);
    if (live === undefined) return this.#gone(lease.id);
    return live.attempt === lease.attempt && live.token === lease.token ? live : "stale";
  }

  /** The reason why a job is not among those that have not ended. */
  #gone(id: JobUrn): "unknown" | "ended" {
    return this.#finished.get(id) === undefined ? "unknown" : "ended";
  }

  #finish(live: LiveJob, outcome: StoredOutcome): void {
    const { job } = live;
    const place = Float64Array.of(live.seq, live.startedAt, Date.now());
    const bytes = [new Uint8Array(place.buffer), ...encodeRecord(endedRecord(live, outcome))];
    const key = keyOf(job);
    this.#finished.put({ id: job.id, tool: job.tool, key, record: bytes, ttl: job.ttl * 1000 });
    this.#uncount(live);
    this.#live.delete(job.id);
    if (outcome.state === "cancelled") this.#cancelled.add(live);
    if (key !== undefined) this.#liveKeys.delete(key);
    this.#news.tell(job.id, "ended");
  }

  /** Adds limits and head starts, which replace some methods, with the first job that has one of them. */
  async #limited(job: NewJob, leaseSeconds: number | undefined): Promise<SubmitAnswer> {
    const limits = await import("./add-limits.ts");
    const parts = { live: this.#live, keys: this.#liveKeys, now: this.#now, news: this.#news };
    this.#live = limits.addLimits(this, parts);
    return this.submit(job, leaseSeconds);
  }

  #byKey(key: string): JobUrn | undefined {
    return this.#liveKeys.get(key)?.job.id ?? this.#finished.idOf(key);
  }
}
