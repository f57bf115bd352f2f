import { firingsUntil } from "../../contract/firing-times.ts";
import { firingUrn } from "../../job/firing-id.ts";
import type { JobUrn } from "../../job/job.ts";
import type { JobLimit } from "../../job/limits/job-limit.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Executor } from "../executor.ts";
import { newJob } from "../kept/new-job.ts";
import type { ScheduleRow, ScheduleTable } from "../store/schedule-table.ts";
import type { OwnSchedule } from "./own-schedules.ts";

/** Maximum age in milliseconds of missed firings that are made up for, and their maximum number. */
const madeUp = {
  one: { age: 86_400_000, most: 1 },
  skip: { age: 60_000, most: 1 },
  all: { age: Infinity, most: 100 },
} as const;
/** Milliseconds between two reads of the job that a firing waits for. */
const queueEvery = 1000;
/** Minimum seconds for which a job is stored: while its id is known, no other replica can start it again. */
const leastTtl = 3600;

/** Everything that a firing needs. */
export interface FiringHost {
  readonly executor: Pick<Executor, "store" | "cancel" | "resume">;
  readonly table: ScheduleTable;
}

/**
 * Fires a schedule once if it is due. Resolves to the milliseconds until the next check: 0 if the schedule has moved
 * on, `Infinity` if no firing is left.
 */
export async function fireIfDue(host: FiringHost, own: OwnSchedule, row: ScheduleRow, now: number): Promise<number> {
  if (row.owes !== undefined) {
    await pay(host, own, row.owes);
    return 0;
  }
  // Another build has changed the schedule: only replicas of that build fire it.
  if (row.paused || row.next === undefined || row.definition !== own.text) return Infinity;
  const due = row.next + delayOf(own, row.next);
  if (now < due) return due - now;
  const { age, most } = madeUp[own.schedule.missed];
  const [at] = firingsUntil(own.times, Math.max(row.next, now - age), now, most);
  const running = at === undefined ? undefined : await runningJob(host, own, row);
  if (running !== undefined && own.schedule.overlap === "queue") return queueEvery;
  if (running !== undefined && own.schedule.overlap === "cancel")
    await host.executor.cancel(running, "The next firing of its schedule has come.");
  const isLeftOut = running !== undefined && own.schedule.overlap === "skip";
  const job = at === undefined || isLeftOut ? undefined : { id: firingUrn(own.tool.name, own.number, at), at };
  const { tool, number, text: definition } = own;
  const to = own.times.after(at ?? now);
  const step = { tool: tool.name, number, definition, from: row.next, to, ...(job !== undefined && { job }) };
  // Another replica may have fired it first.
  if (!(await host.table.move(step))) return 0;
  const log = getLogger("tenon");
  if (at !== row.next) log.warn(`${nameOf(own)}: what should have fired from ${timeOf(row.next)} on was missed.`);
  if (isLeftOut)
    log.info(`${nameOf(own)}: the firing of ${timeOf(at ?? now)} is left out, since ${running} still runs.`);
  if (job !== undefined) await pay(host, own, job.id);
  return 0;
}

/** Submits the job that a firing has recorded, which runs here if a slot is free. */
async function pay({ executor, table }: FiringHost, own: OwnSchedule, id: JobUrn): Promise<void> {
  const { tool, number, schedule } = own;
  const input = schedule.request;
  const { limit, ...job } = newJob({ id, tool, input, submission: { tool, input } });
  const ttl = Math.max(job.ttl, leastTtl);
  await executor.store.submit({ ...job, ttl, ...(limit !== undefined && { limit: patient(limit) }) });
  await table.paid({ tool: tool.name, number }, id);
  await executor.resume();
}

/** The limit of a scheduled job: where a call would be refused, the job waits, since no caller would retry it. */
function patient(limit: JobLimit): JobLimit {
  const { beyond, ...rest } = limit;
  return beyond === "refuse" ? rest : limit;
}

/** The job of the last firing, if it has not ended and the schedule does not allow overlap. */
async function runningJob(
  { executor }: FiringHost,
  { schedule: { overlap } }: OwnSchedule,
  { lastJob }: ScheduleRow,
): Promise<JobUrn | undefined> {
  if (overlap === "allow" || lastJob === undefined) return undefined;
  const record = await executor.store.get(lastJob);
  return record === undefined || record.outcome !== undefined ? undefined : lastJob;
}

/** Jitter of a firing in milliseconds: the same in all replicas, and different from one firing to the next. */
function delayOf({ tool, number, schedule: { jitter = 0 } }: OwnSchedule, at: number): number {
  if (jitter === 0) return 0;
  let hash = 2166136261;
  for (const character of `${tool.name} ${number} ${at}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  return Math.abs(hash) % jitter;
}

function nameOf({ tool, number }: OwnSchedule): string {
  return `Schedule ${number} of ${tool.name}`;
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}
