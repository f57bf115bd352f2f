import type { ScheduleDefinition } from "../../contract/contract.ts";
import { firingsUntil, type FiringTimes } from "../../contract/firing-times.ts";
import { firingUrn } from "../../job/firing-id.ts";
import type { JobUrn } from "../../job/job.ts";
import type { JobLimit } from "../../job/limits/job-limit.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { JobStore } from "./job-store.ts";
import type { ScheduleRow, ScheduleTable } from "./schedule-table.ts";

/** Limits for missed firings that are run later: maximum age in milliseconds, and maximum number. */
const madeUp = {
  one: { age: 86_400_000, most: 1 },
  skip: { age: 60_000, most: 1 },
  all: { age: Infinity, most: 100 },
} as const;
/** Milliseconds by which a clock may be set back: until it has caught up, no firing that has run runs again. */
const tolerance = 7 * 86_400_000;
/** Milliseconds between two reads of the job that a firing waits for. */
const queueEvery = 1000;

/** A schedule of this build, or of a definition. */
export interface OwnSchedule {
  /** Name of the tool, unique among all tools that share the table. */
  readonly tool: string;
  /** Place among the schedules of its tool, from 1. */
  readonly number: number;
  readonly schedule: ScheduleDefinition;
  readonly times: FiringTimes;
  /** The whole definition as JSON. */
  readonly text: string;
}

/** The parts of a service or a platform that a firing uses. */
export interface FiringHost {
  readonly table: ScheduleTable;
  readonly store: Pick<JobStore, "get">;
  /** Stores the job of a firing, once for its id, and lets it run. */
  submit(own: OwnSchedule, id: JobUrn): Promise<void>;
  cancel(id: JobUrn, reason: string): Promise<unknown>;
}

/**
 * Times at which a firing of a schedule was last seen waiting for the job before it (`overlap=queue`). All firings that
 * were due by then have a replica that lets them wait, so they were not missed.
 */
export type QueuedUntil = Map<OwnSchedule, number>;

/**
 * Fires a schedule once if it is due. Resolves to the milliseconds until the next check: 0 if the schedule has moved
 * on, `Infinity` if no firing is left.
 */
export async function fireIfDue(
  host: FiringHost,
  own: OwnSchedule,
  row: ScheduleRow,
  now: number,
  queued: QueuedUntil,
): Promise<number> {
  if (row.owes !== undefined) {
    await pay(host, own, row.owes);
    return 0;
  }
  // Another build has changed the schedule: only replicas of that build fire it.
  if (row.paused || row.next === undefined || row.definition !== own.text) return Infinity;
  const due = dueOf(own, row.next);
  if (now < due) return (await moveBack(host, own, row.next, now)) ? 0 : due - now;
  const { overlap } = own.schedule;
  const running = await runningJob(host, own, row);
  if (running !== undefined && overlap === "queue") {
    queued.set(own, now);
    return queueEvery;
  }
  const { at, last } = firingFrom(own, row.next, now, queued.get(own));
  const blocking = at === undefined ? undefined : running;
  if (blocking !== undefined && overlap === "cancel")
    await host.cancel(blocking, "The next firing of its schedule has come.");
  const isLeftOut = blocking !== undefined && overlap === "skip";
  const job = at === undefined || isLeftOut ? undefined : { id: firingUrn(own.tool, own.number, at), at };
  const { tool, number, text: definition } = own;
  const to = own.times.after(last);
  const step = { tool, number, definition, from: row.next, to, ...(job !== undefined && { job }) };
  // If the step fails, another replica was first.
  if (!(await host.table.move(step))) return 0;
  const log = getLogger("tenon");
  if (at !== row.next) log.warn(`${nameOf(own)}: what should have fired from ${timeOf(row.next)} on was missed.`);
  if (isLeftOut) log.info(`${nameOf(own)}: the firing of ${timeOf(last)} is left out, since ${blocking} still runs.`);
  if (job !== undefined) await pay(host, own, job.id);
  return 0;
}

/** Moves a schedule back that a clock which was ahead has moved over firings to come; true if it has. */
async function moveBack({ table }: FiringHost, own: OwnSchedule, next: number, now: number): Promise<boolean> {
  if ((own.times.after(now + tolerance) ?? next) >= next) return false;
  const { tool, number, text: definition } = own;
  if (!(await table.move({ tool, number, definition, from: next, to: own.times.after(now) }))) return false;
  getLogger("tenon").warn(`${nameOf(own)}: its next firing was ${timeOf(next)}, since the clock was ahead.`);
  return true;
}

/**
 * Finds the firing to run, `at`: undefined if all that are due were missed and are too old. `last`: the firing after
 * which the schedule continues.
 */
function firingFrom(
  own: OwnSchedule,
  next: number,
  now: number,
  queuedUntil = -Infinity,
): { readonly at: number | undefined; readonly last: number } {
  const isQueued = dueOf(own, next) <= queuedUntil;
  const { age, most } = isQueued ? madeUp.all : madeUp[own.schedule.missed];
  // The jitter of the last one may not have ended.
  const due = firingsUntil(own.times, next, now, most + 1).filter((at) => dueOf(own, at) <= now);
  const found = due.slice(-most);
  const at = found.find((one) => now - dueOf(own, one) <= age);
  return { at, last: at ?? found.at(-1) ?? now };
}

/** Stores the job of a firing that was recorded as owed. */
async function pay(host: FiringHost, own: OwnSchedule, id: JobUrn): Promise<void> {
  await host.submit(own, id);
  await host.table.paid({ tool: own.tool, number: own.number }, id);
}

/**
 * Changes a limit so that its job waits instead of being refused: a scheduled job has no caller who would try again.
 */
export function patient(limit: JobLimit): JobLimit {
  // The debounce is removed, since a job with an id of its own must not be merged into another one.
  const { beyond, debounce: _, ...rest } = limit;
  return beyond === undefined || beyond === "refuse" ? rest : { ...rest, beyond };
}

/** Returns the job of the last firing, if it has not ended and the schedule does not allow overlap. */
async function runningJob(
  { store }: FiringHost,
  { schedule: { overlap } }: OwnSchedule,
  { lastJob }: ScheduleRow,
): Promise<JobUrn | undefined> {
  if (overlap === "allow" || lastJob === undefined) return undefined;
  const record = await store.get(lastJob);
  return record === undefined || record.outcome !== undefined ? undefined : lastJob;
}

/**
 * Returns the time at which a firing is due: its own time, and its jitter. The jitter is the same in all replicas, and
 * different from one firing to the next. It ends before the next firing, so that none is due before an earlier one.
 */
export function dueOf({ tool, number, times, schedule: { jitter = 0 } }: OwnSchedule, at: number): number {
  if (jitter === 0) return at;
  let hash = 2166136261;
  for (const character of `${tool} ${number} ${at}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  return at + (Math.abs(hash) % Math.min(jitter, (times.after(at) ?? Infinity) - at));
}

function nameOf({ tool, number }: OwnSchedule): string {
  return `Schedule ${number} of ${tool}`;
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}
