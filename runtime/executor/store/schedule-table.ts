import type { JobUrn } from "../../job/job.ts";

/** A store in this process answers at once. */
type MaybePromise<T> = T | Promise<T>;

/** Names a schedule: a tool, and a place among its schedules, from 1. */
export interface ScheduleKey {
  readonly tool: string;
  readonly number: number;
}

/** A schedule as a build defines it. */
export interface PlannedSchedule extends ScheduleKey {
  /** Expression and zone: a change of them begins anew with `next`. */
  readonly times: string;
  /** Everything about it, as JSON: who knows another definition leaves the schedule alone. */
  readonly definition: string;
  /** Its first firing, in milliseconds since 1970. */
  readonly next: number;
}

/** A schedule in a store. Times are milliseconds since 1970 by the store's clock. */
export interface ScheduleRow extends ScheduleKey {
  readonly definition: string;
  /** The firing that comes next, or is due; undefined when none will come. */
  readonly next: number | undefined;
  /** The last firing that started a job, and that job. */
  readonly last: number | undefined;
  readonly lastJob: JobUrn | undefined;
  /** A job that is to be stored since the last step, which may be the work of a process that is gone. */
  readonly owes: JobUrn | undefined;
  readonly paused: boolean;
}

/** One step of a schedule from a firing to the next. */
export interface ScheduleMove extends ScheduleKey {
  readonly definition: string;
  /** The firing that is due: the step is refused where the schedule has another one. */
  readonly from: number;
  readonly to: number | undefined;
  /** The job that the firing starts, and its time; absent for a firing that is left out. */
  readonly job?: { readonly id: JobUrn; readonly at: number };
}

/**
 * The schedules of a store. A firing is two writes, so that its job is one for all replicas and none is lost: `move`
 * says that the job is owed, and only one replica's is taken; then the job is submitted and `paid`. Whoever reads a row
 * that owes a job submits it again, which is the same job by its id.
 */
export interface ScheduleTable {
  /** Puts the schedules of a service in place of those that it had; one whose `times` are as before goes on. */
  plan(service: string, schedules: readonly PlannedSchedule[]): MaybePromise<void>;
  /** The schedules of a service, and the time of the store. */
  read(service: string): MaybePromise<{ readonly now: number; readonly rows: readonly ScheduleRow[] }>;
  /** False where another replica was first, the schedule is paused, or is not as this one knows it. */
  move(move: ScheduleMove): MaybePromise<boolean>;
  /** The job that was owed is stored. */
  paid(key: ScheduleKey, job: JobUrn): MaybePromise<void>;
  /** Pauses a schedule, or lets it go on with `next`; false for an unknown one. */
  pause(key: ScheduleKey, next: number | undefined): MaybePromise<boolean>;
}

/** The columns of a row, named alike in both databases. */
export interface ScheduleColumns extends ScheduleKey {
  readonly definition: string;
  readonly next: number | null;
  readonly last: number | null;
  readonly last_job: JobUrn | null;
  readonly owes: JobUrn | null;
  readonly paused: boolean | number;
}

export function toScheduleRow({
  next,
  last,
  last_job: lastJob,
  owes,
  paused,
  ...columns
}: ScheduleColumns): ScheduleRow {
  const { tool, number, definition } = columns;
  return {
    tool,
    number,
    definition,
    next: next ?? undefined,
    last: last ?? undefined,
    lastJob: lastJob ?? undefined,
    owes: owes ?? undefined,
    paused: paused === true || paused === 1,
  };
}
