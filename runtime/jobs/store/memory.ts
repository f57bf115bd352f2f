import { newJobUrn } from "../job-id.ts";
import type { JobUrn } from "../job.ts";
import { AnswerRing } from "./answer-ring.ts";
import type {
  Claim,
  JobRecord,
  JobStore,
  Lease,
  NewJob,
  RenewAnswer,
  StoredEvent,
  StoredOutcome,
} from "./job-store.ts";
import type { SubmitAnswer, WriteAnswer } from "./job-store.ts";
import { decodeRecord, encodeRecord } from "./record-codec.ts";

const maxEvents = 1000;

export interface MemoryStoreOptions {
  /** Finished jobs that are kept; default 10000. */
  readonly maxFinished?: number;
  /** Milliseconds; default the monotonic clock. */
  readonly now?: () => number;
}

interface LiveJob {
  readonly job: NewJob;
  state: "pending" | "executing";
  attempt: number;
  token: string | undefined;
  leaseUntil: number;
  claimableFrom: number;
  readonly events: StoredEvent[];
}

/**
 * Jobs in the memory of this process: gone when it ends. Jobs that wait or run are objects and never evicted; finished
 * ones are bytes outside the heap, bounded by count and time, the oldest dropped first.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): JobStore {
  return new MemoryStore(options);
}

class MemoryStore implements JobStore {
  readonly #now: () => number;
  readonly #live = new Map<JobUrn, LiveJob>();
  readonly #liveKeys = new Map<string, LiveJob>();
  readonly #finished: AnswerRing;
  readonly #finishedKeys: AnswerRing;

  constructor({ maxFinished = 10_000, now = () => performance.now() }: MemoryStoreOptions) {
    this.#now = now;
    this.#finished = new AnswerRing({ maxEntries: maxFinished, now });
    this.#finishedKeys = new AnswerRing({ maxEntries: maxFinished, now });
  }

  submit(job: NewJob): SubmitAnswer {
    const key = keyOf(job);
    if (key !== undefined) {
      const known = this.#byKey(key);
      if (known !== undefined) {
        if (known.digest !== job.idempotency?.digest) return { kind: "conflict" };
        const record = this.get(known.id);
        if (record !== undefined) return { kind: "existing", record };
      }
    }
    const record = this.get(job.id);
    if (record !== undefined) return record.tool === job.tool ? { kind: "existing", record } : { kind: "conflict" };
    const live: LiveJob = {
      job,
      state: "pending",
      attempt: 0,
      token: undefined,
      leaseUntil: 0,
      claimableFrom: 0,
      events: [],
    };
    this.#live.set(job.id, live);
    if (key !== undefined) this.#liveKeys.set(key, live);
    return { kind: "created" };
  }

  claim(options: { seconds: number; id?: JobUrn; tools?: readonly string[] }): Claim | undefined {
    const now = this.#now();
    const live = options.id === undefined ? this.#oldestPending(now, options.tools) : this.#live.get(options.id);
    if (live === undefined || live.state !== "pending" || live.claimableFrom > now) return undefined;
    live.state = "executing";
    live.attempt++;
    live.token = newJobUrn();
    live.leaseUntil = now + options.seconds * 1000;
    return { lease: { id: live.job.id, attempt: live.attempt, token: live.token }, job: live.job };
  }

  renew(lease: Lease, seconds: number): RenewAnswer {
    const held = this.#held(lease);
    if (typeof held === "string") return held;
    held.leaseUntil = this.#now() + seconds * 1000;
    return "ok";
  }

  progress(lease: Lease, events: readonly StoredEvent[]): WriteAnswer {
    const held = this.#held(lease);
    if (typeof held === "string") return held;
    for (const event of events) {
      if (event.sequence <= (held.events.at(-1)?.sequence ?? 0)) continue;
      if (held.events.length >= maxEvents) held.events.shift();
      held.events.push(event);
    }
    return "ok";
  }

  settle(lease: Lease, outcome: StoredOutcome): WriteAnswer {
    const held = this.#held(lease);
    if (typeof held === "string") return held;
    this.#finish(held, outcome);
    return "ok";
  }

  release(lease: Lease, delay: number): WriteAnswer {
    const held = this.#held(lease);
    if (typeof held === "string") return held;
    held.state = "pending";
    held.attempt--;
    held.token = undefined;
    held.claimableFrom = this.#now() + delay * 1000;
    return "ok";
  }

  cancel(id: JobUrn, reason: string): WriteAnswer {
    const live = this.#live.get(id);
    if (live === undefined) return this.#finished.get(id) === undefined ? "unknown" : "ended";
    this.#finish(live, { state: "cancelled", error: { kind: "cancelled", message: reason } });
    return "ok";
  }

  get(id: JobUrn): JobRecord | undefined {
    const live = this.#live.get(id);
    if (live === undefined) {
      const bytes = this.#finished.get(id);
      return bytes === undefined ? undefined : decodeRecord(id, bytes);
    }
    const { job, state, attempt, events } = live;
    return { id, tool: job.tool, state, attempt, events, ...(job.owner === undefined ? {} : { owner: job.owner }) };
  }

  reap(): void {
    const now = this.#now();
    for (const live of this.#live.values()) {
      if (live.state !== "executing" || live.leaseUntil > now) continue;
      if (live.attempt < live.job.maxAttempts) {
        live.state = "pending";
        live.token = undefined;
      } else {
        const message = "The job was interrupted: its worker stopped answering.";
        this.#finish(live, { state: "error", error: { kind: "interrupted", message } });
      }
    }
    this.#finished.dropExpired();
    this.#finishedKeys.dropExpired();
  }

  close(): void {
    this.#live.clear();
    this.#liveKeys.clear();
  }

  #held(lease: Lease): LiveJob | WriteAnswer {
    const live = this.#live.get(lease.id);
    if (live === undefined) return this.#finished.get(lease.id) === undefined ? "unknown" : "ended";
    return live.attempt === lease.attempt && live.token === lease.token ? live : "stale";
  }

  #finish({ job, attempt, events }: LiveJob, outcome: StoredOutcome): void {
    const ttl = job.ttl * 1000;
    const owner = job.owner === undefined ? {} : { owner: job.owner };
    const record: JobRecord = { id: job.id, tool: job.tool, state: outcome.state, attempt, events, outcome, ...owner };
    this.#finished.put(job.id, encodeRecord(record), ttl);
    this.#live.delete(job.id);
    const key = keyOf(job);
    if (key === undefined || job.idempotency === undefined) return;
    this.#liveKeys.delete(key);
    this.#finishedKeys.put(key, [Buffer.from(JSON.stringify({ id: job.id, digest: job.idempotency.digest }))], ttl);
  }

  #byKey(key: string): { readonly id: JobUrn; readonly digest: string } | undefined {
    const live = this.#liveKeys.get(key)?.job;
    if (live?.idempotency !== undefined) return { id: live.id, digest: live.idempotency.digest };
    const bytes = this.#finishedKeys.get(key);
    return bytes === undefined ? undefined : JSON.parse(bytes.toString());
  }

  #oldestPending(now: number, tools: readonly string[] | undefined): LiveJob | undefined {
    for (const live of this.#live.values()) {
      const fits = tools === undefined || tools.includes(live.job.tool);
      if (fits && live.state === "pending" && live.claimableFrom <= now) return live;
    }
    return undefined;
  }
}

/** Keys of different callers never meet. */
function keyOf({ owner, idempotency }: NewJob): string | undefined {
  return idempotency === undefined ? undefined : JSON.stringify([owner ?? null, idempotency.key]);
}
