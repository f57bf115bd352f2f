import {
  maxKept,
  maxKeptBytes,
  type KeptParts,
  type NewMessage,
  type Parking,
  type StepWrite,
  type StoredStep,
} from "../../../job/steps/kept-step.ts";
import { weigh } from "../weigh.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { JobNews } from "../job-news.ts";
import type { JobRecord, NewJob, SendAnswer } from "../job-store.ts";
import { count, countKept, type CountsWaiting } from "./count-waiting.ts";
import { leaveAttempt, newLiveJob, type LiveJob, type LiveKept } from "./live-job.ts";
import { maxAttempts } from "../shared-rules.ts";

/**
 * Stores steps of a job in memory. This module is loaded lazily, with the first job that stores a step or receives a
 * message.
 */
export function keepSteps(store: CountsWaiting, live: LiveJob, writes: readonly StepWrite[], now: number): void {
  const { steps } = keptParts(live);
  live.maxAttempts = Math.max(live.maxAttempts, live.attempt + maxAttempts);
  for (const { delay, until, took = 0, ...write } of writes) {
    const wait = delay ?? (until === undefined ? undefined : until - Date.now());
    const known = steps.get(write.key);
    const step = {
      ...write,
      attempt: live.attempt,
      startedAt: known?.state === "running" ? known.startedAt : Date.now() - took,
      ...(wait !== undefined && { dueAt: now + wait }),
      ...(write.state !== "running" && { endedAt: Date.now() }),
    };
    countKept(store, live, weigh(step) - (known === undefined ? 0 : weigh(known)));
    steps.set(write.key, step);
  }
}

interface Forked {
  readonly old: NewJob;
  readonly id: JobUrn;
  readonly seq: number;
  readonly steps: readonly StoredStep[];
  readonly now: number;
}

/** Makes a new waiting job that begins with stored steps. */
export function keptJob(store: CountsWaiting, { old, id, seq, steps, now }: Forked): LiveJob {
  const { tool, input, owner, caller, ttl, limit, headStart } = old;
  const given = {
    ...(limit !== undefined && { limit }),
    ...(headStart !== undefined && { headStart }),
    ...(owner !== undefined && { owner }),
    ...(caller !== undefined && { caller }),
  };
  const live = newLiveJob({ id, tool, input, ttl, maxAttempts, ...given }, seq);
  live.kept = { steps: new Map(steps.map((step) => [step.key, { ...step, attempt: 0 }])), messages: [] };
  live.keptBytes = weigh(steps);
  live.claimableFrom = now;
  count(store, live);
  return live;
}

/** All stored steps and messages of an ended job. */
export function partsOf(record: JobRecord | undefined): KeptParts {
  const { steps = [], messages = [] } = record?.kept ?? {};
  return { steps, messages };
}

/** Parks a job; true when it can be claimed at once, since a message that it waits for has already arrived. */
export function parkJob(store: CountsWaiting, live: LiveJob, { delay, until, waits }: Parking, now: number): boolean {
  const wait = delay ?? (until === undefined ? Infinity : until - Date.now());
  const isThere = live.kept?.messages.some(({ name }) => waits.includes(name)) === true;
  leaveAttempt(live, "parked");
  live.claimableFrom = isThere ? now : now + wait;
  live.waiting = isThere ? undefined : { waits, ...(wait < Infinity && { until: Date.now() + wait }) };
  count(store, live);
  return isThere;
}

/** Adds a message, and wakes the job if it is parked for this message. */
export function addMessage(
  store: CountsWaiting,
  live: LiveJob,
  message: NewMessage,
  { now, news }: { readonly now: number; readonly news: JobNews },
): SendAnswer {
  const { messages } = keptParts(live);
  if (message.once !== undefined && messages.some(({ once }) => once === message.once)) return "known";
  const bytes = messages.reduce((sum, { body }) => sum + body.length, message.body.length);
  if (messages.length >= maxKept || bytes > maxKeptBytes) return "full";
  messages.push({ ...message, sentAt: Date.now() });
  countKept(store, live, weigh(message));
  if (live.waiting?.waits.includes(message.name) === true) {
    live.waiting = undefined;
    live.claimableFrom = now;
    news.tellReady([live.job.tool]);
  }
  news.tell(live.job.id, "answers");
  return "ok";
}

/** All stored steps and messages of a job, with the remaining time of its waits. */
export function keptOf({ kept }: LiveJob, now: number): KeptParts {
  if (kept === undefined) return { steps: [], messages: [] };
  const steps = [...kept.steps.values()].map(({ dueAt, ...step }): StoredStep => {
    return dueAt === undefined ? step : { ...step, left: dueAt - now };
  });
  return { steps, messages: [...kept.messages] };
}

function keptParts(live: LiveJob): LiveKept {
  return (live.kept ??= { steps: new Map(), messages: [] });
}
