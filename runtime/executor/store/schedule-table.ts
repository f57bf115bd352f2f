import type { JobUrn } from "../../job/job.ts";
import type { MaybePromise } from "./maybe-promise.ts";

/** Identifies a schedule: a tool, and a position among its schedules, from 1. */
export interface ScheduleKey {
  readonly tool: string;
  readonly number: number;
}

/** A schedule as a build defines it. */
export interface PlannedSchedule extends ScheduleKey {
  /** Expression and zone: if they change, the schedule starts anew with `next`. */
  readonly times: string;
  /** The whole definition as JSON: a replica with a different definition does not fire the schedule. */
  readonly definition: string;
  /** First firing of the schedule, in milliseconds since 1970. */
  readonly next: number;
}

/** A schedule in a store. Times are milliseconds since 1970 by the store's clock. */
export interface ScheduleRow extends ScheduleKey {
  readonly definition: string;
  /** The next firing, which may be due; undefined if there will be none. */
  readonly next: number | undefined;
  /** Time of the last firing that started a job, and the job. */
  readonly last: number | undefined;
  readonly lastJob: JobUrn | undefined;
  /** A job that a firing has recorded and that may not be submitted yet, because its process may have ended. */
  readonly owes: JobUrn | undefined;
  readonly paused: boolean;
}

/** A step of a schedule from one firing to the next. */
export interface ScheduleMove extends ScheduleKey {
  readonly definition: string;
  /** The firing that is due: the step is refused if the schedule is at another firing. */
  readonly from: number;
  readonly to: number | undefined;
  /** The job that the firing starts, and its time; absent for a firing that is skipped. */
  readonly job?: { readonly id: JobUrn; readonly at: number };
}

/**
 * The schedules of a store. A firing needs two writes, so that all replicas together submit one job and no job is lost.
 * `move` records the job as owed, which only one replica can do. Then the job is submitted, and `paid` removes the
 * record. A replica that reads a row with an owed job submits it again; it has the same id, so it is stored only once.
 */
export interface ScheduleTable {
  /** Replaces the schedules of a service. A schedule whose `times` are unchanged continues. */
  plan(service: string, schedules: readonly PlannedSchedule[]): MaybePromise<void>;
  /** The schedules of a service, and the time by the store's clock. */
  read(service: string): MaybePromise<{ readonly now: number; readonly rows: readonly ScheduleRow[] }>;
  /**
   * Moves a schedule to its next firing. False if another replica was first, if the schedule is paused, or if its
   * definition has changed.
   */
  move(move: ScheduleMove): MaybePromise<boolean>;
  /** Records that the owed job is stored. */
  paid(key: ScheduleKey, job: JobUrn): MaybePromise<void>;
  /**
   * Pauses a schedule, or resumes it with `next`; false if the schedule is unknown. A schedule that is not paused keeps
   * its next firing, which may be due and waiting.
   */
  pause(key: ScheduleKey, next: number | undefined): MaybePromise<boolean>;
}

/** The columns of a schedule, with the same names in both databases. */
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
