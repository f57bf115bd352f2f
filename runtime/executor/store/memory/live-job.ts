import { mostAttempts, type JobAttempt } from "../attempts.ts";
import { EventWindow } from "../../../job/event-window.ts";
import type { StoredMessage, StoredStep, Waiting } from "../../../job/steps/kept-step.ts";
import type { Reply, Talk } from "../../../job/question.ts";
import { weigh, weighJob } from "../weigh.ts";
import type { ClaimOptions, JobRecord, NewJob, StoredEvent, StoredOutcome } from "../job-store.ts";

/** All stored steps and messages of a job in memory. */
export interface LiveKept {
  readonly steps: Map<string, StoredStep & { readonly dueAt?: number }>;
  readonly messages: StoredMessage[];
}

/** A job in memory that has not ended. */
export interface LiveJob {
  /** The job as it was submitted. A debounced job has the request of the latest submission. */
  job: NewJob;
  /** Position in the order of submission. */
  readonly seq: number;
  /** Start in milliseconds since 1970; 0 while the job waits. */
  startedAt: number;
  /** Attempts that have not ended the job; undefined if there are none. */
  past: readonly JobAttempt[] | undefined;
  state: "pending" | "executing";
  attempt: number;
  token: string | undefined;
  leaseUntil: number;
  /** Time at which the job became claimable after its last attempt, or will become claimable. */
  claimableFrom: number;
  readonly events: EventWindow<StoredEvent>;
  talk: Talk | undefined;
  replies: readonly Reply[] | undefined;
  /** Maximum number of attempts; grows when the job has stored a step. */
  maxAttempts: number;
  /** Set when the job has stored a step or was sent a message. */
  kept: LiveKept | undefined;
  /** Estimated bytes for which the job is counted: those of `keptBytes`, and all others while it waits here. */
  bytes: number;
  /** Estimated bytes of the stored steps and messages. */
  keptBytes: number;
  /** Set while the job is parked. */
  waiting: Waiting | undefined;
}

/** Estimates the bytes of a job with its events, steps and messages. */
export function weighLive({ job, events, keptBytes }: LiveJob): number {
  return weighJob(job) + weigh(events.events) + keptBytes;
}

export function newLiveJob(job: NewJob, seq: number): LiveJob {
  return {
    job,
    seq,
    startedAt: 0,
    past: undefined,
    state: "pending",
    attempt: 0,
    token: undefined,
    leaseUntil: 0,
    claimableFrom: 0,
    events: new EventWindow(({ body }) => body),
    talk: job.talk,
    replies: undefined,
    maxAttempts: job.maxAttempts,
    kept: undefined,
    bytes: 0,
    keptBytes: 0,
    waiting: undefined,
  };
}

/** The parts of a record that do not change while the job runs, and its attempt. */
export function recordBase({
  job,
  attempt,
}: LiveJob): Pick<JobRecord, "id" | "tool" | "attempt" | "owner" | "digest" | "traceparent"> {
  return {
    id: job.id,
    tool: job.tool,
    attempt,
    ...(job.owner !== undefined && { owner: job.owner }),
    ...(job.traceparent !== undefined && { traceparent: job.traceparent }),
    ...(job.idempotency !== undefined && { digest: job.idempotency.digest }),
  };
}

/** Ends the current attempt of a job, which waits for another one. */
export function leaveAttempt(live: LiveJob, state: "lost" | "released" | "parked"): void {
  const { attempt, startedAt, events, past = [] } = live;
  const lastEvent = events.events.at(-1)?.sequence;
  const left = { attempt, state, startedAt, endedAt: Date.now(), ...(lastEvent !== undefined && { lastEvent }) };
  live.past = [...past, left].slice(-mostAttempts);
  live.state = "pending";
  live.token = undefined;
  live.startedAt = 0;
  if (state !== "lost") live.attempt--;
}

/** The record of a job that ends now. */
export function endedRecord(live: LiveJob, outcome: StoredOutcome): JobRecord {
  const { job, events, kept, past } = live;
  return {
    ...recordBase(live),
    state: outcome.state,
    events: events.events,
    outcome,
    ...(kept !== undefined && { kept: { job, steps: [...kept.steps.values()], messages: kept.messages, past } }),
  };
}

/** True when a submitted job has the same body as the stored one, as far as both are known. */
export function hasSameBody({ digest: known }: JobRecord, { idempotency }: NewJob): boolean {
  return idempotency === undefined || known === undefined || known === idempotency.digest;
}

/** Returns the idempotency key together with its owner, so that keys of different callers never collide. */
export function keyOf({ owner, idempotency }: NewJob): string | undefined {
  return idempotency === undefined ? undefined : JSON.stringify([owner ?? null, idempotency.key]);
}

/** Size in bytes of the numbers before a finished job in memory: its position, its start and its end. */
export const placeBytes = 24;

/** Returns the job in the form in which a claim hands it to the next attempt. */
export function claimedJob({ job, talk, maxAttempts }: LiveJob): NewJob {
  if (talk === undefined && maxAttempts === job.maxAttempts) return job;
  return { ...job, maxAttempts, ...(talk !== undefined && { talk }) };
}

/** The oldest job that a worker may claim. */
export function oldestPending(
  jobs: Iterable<LiveJob>,
  now: number,
  { tools, withoutSuspects = false }: ClaimOptions,
): LiveJob | undefined {
  for (const live of jobs) {
    const isSuspect = live.attempt > 0 && live.attempt + 1 >= live.maxAttempts;
    const fits = (tools === undefined || tools.includes(live.job.tool)) && !(withoutSuspects && isSuspect);
    if (fits && live.state === "pending" && live.claimableFrom <= now) return live;
  }
  return undefined;
}
