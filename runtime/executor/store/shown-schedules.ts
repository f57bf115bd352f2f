import { ToolError } from "../../base/errors.ts";
import type { JsonObject } from "../../contract/contract.ts";
import type { JobUrn } from "../../job/job.ts";
import type { JobStore } from "./job-store.ts";
import type { OwnSchedule } from "./firing.ts";
import type { ScheduleRow, ScheduleTable } from "./schedule-table.ts";

export interface ShownSchedulesOptions {
  readonly store: JobStore;
  readonly table: ScheduleTable;
  /** The schedules that are shown. */
  readonly own: readonly OwnSchedule[];
  /** Name of the service. */
  readonly service: string;
}

/** The body of `GET /schedules`. */
export async function shownSchedules({ store, table, own, service }: ShownSchedulesOptions): Promise<JsonObject> {
  const { now, rows } = await table.read(service);
  return {
    items: await Promise.all(
      own.map((schedule) =>
        shown(
          store,
          schedule,
          rows.find((row) => isOf(row, schedule.tool, schedule.number)),
        ),
      ),
    ),
    "at-time": timeOf(now),
  };
}

/** Pauses a schedule, or resumes it with its next firing from now. Throws `not-found` if the table does not have it. */
export async function pauseSchedule(
  { store, table, own, service }: ShownSchedulesOptions,
  { tool, number, paused }: { readonly tool: string; readonly number: number; readonly paused: boolean },
): Promise<JsonObject> {
  const found = own.find((schedule) => isOf({ tool, number }, schedule.tool, schedule.number));
  const { now } = await table.read(service);
  if (found === undefined || !(await table.pause({ tool, number }, paused ? undefined : found.times.after(now))))
    throw new ToolError("not-found", "There is no such schedule.");
  const { rows } = await table.read(service);
  return shown(
    store,
    found,
    rows.find((row) => isOf(row, tool, number)),
  );
}

async function shown(
  store: JobStore,
  { tool, number, schedule }: OwnSchedule,
  row: ScheduleRow | undefined,
): Promise<JsonObject> {
  const { jitter, ...facts } = schedule;
  return {
    tool,
    number,
    ...facts,
    ...(jitter !== undefined && { jitter: jitter / 1000 }),
    paused: row?.paused === true,
    ...(row?.next !== undefined && !row.paused && { next: timeOf(row.next) }),
    ...(row?.last !== undefined && { last: timeOf(row.last) }),
    ...(row?.lastJob !== undefined && { "last-job": await lastJob(store, row.lastJob) }),
  };
}

/** The job of the last firing, with its state as long as the job is stored. */
async function lastJob(store: JobStore, id: JobUrn): Promise<JsonObject> {
  const record = await store.get(id);
  return { id, ...(record !== undefined && { status: record.state }) };
}

function isOf(row: { readonly tool: string; readonly number: number }, tool: string, number: number): boolean {
  return row.tool === tool && row.number === number;
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}
