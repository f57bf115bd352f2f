import { EventWindow } from "../../../job/event-window.ts";
import type { StoredMessage, StoredStep, Waiting } from "../../../job/steps/kept-step.ts";
import type { Reply, Talk } from "../../../job/question.ts";
import type { ClaimOptions, JobRecord, NewJob, StoredEvent } from "../job-store.ts";

/** Everything that a job in memory has kept. */
export interface LiveKept {
  readonly steps: Map<string, StoredStep & { readonly dueAt?: number }>;
  readonly messages: StoredMessage[];
}

/** A job in memory that has not ended. */
export interface LiveJob {
  /** As it was submitted; a debounced one takes the request of a later one. */
  job: NewJob;
  /** Place in the order of submission. */
  readonly seq: number;
  /** Milliseconds since 1970; 0 while it waits. */
  startedAt: number;
  state: "pending" | "executing";
  attempt: number;
  token: string | undefined;
  leaseUntil: number;
  /** When it could first be claimed since its last attempt, or can be. */
  claimableFrom: number;
  readonly events: EventWindow<StoredEvent>;
  talk: Talk | undefined;
  replies: readonly Reply[] | undefined;
  /** Attempts that it may have; more than at first when it has kept something. */
  maxAttempts: number;
  /** Present when it has kept something, or was sent something. */
  kept: LiveKept | undefined;
  /** Set while it is parked. */
  waiting: Waiting | undefined;
}

export function newLiveJob(job: NewJob, seq: number): LiveJob {
  return {
    job,
    seq,
    startedAt: 0,
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

/** True when a submitted job has the same body as the stored one, as far as both are known. */
export function hasSameBody({ digest: known }: JobRecord, { idempotency }: NewJob): boolean {
  return idempotency === undefined || known === undefined || known === idempotency.digest;
}

/** Keys of different callers never meet. */
export function keyOf({ owner, idempotency }: NewJob): string | undefined {
  return idempotency === undefined ? undefined : JSON.stringify([owner ?? null, idempotency.key]);
}

/** Bytes in front of a finished job in memory: three numbers, its place, when it began, and when it ended. */
export const placeBytes = 24;

/** The job as the next attempt gets it. */
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
