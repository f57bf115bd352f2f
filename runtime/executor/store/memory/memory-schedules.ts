import type { PlannedSchedule, ScheduleKey, ScheduleRow, ScheduleTable } from "../schedule-table.ts";

interface Entry {
  readonly service: string;
  readonly times: string;
  row: ScheduleRow;
}

/** Schedules in the memory of this process, by its clock. */
export function createMemorySchedules(now: () => number = Date.now): ScheduleTable {
  const entries = new Map<string, Entry>();
  return {
    plan(service, schedules) {
      const known = new Map(entries);
      for (const [key, entry] of known) if (entry.service === service) entries.delete(key);
      for (const planned of schedules) {
        const key = keyOf(planned);
        entries.set(key, { service, times: planned.times, row: plannedRow(planned, known.get(key)) });
      }
    },
    read(service) {
      const own = [...entries.values()].filter((entry) => entry.service === service);
      return { now: now(), rows: own.map(({ row }) => row) };
    },
    move({ from, to, definition, job, ...key }) {
      const entry = entries.get(keyOf(key));
      if (entry === undefined) return false;
      const { row } = entry;
      if (row.next !== from || row.definition !== definition || row.paused || row.owes !== undefined) return false;
      entry.row = { ...row, next: to, ...(job && { last: job.at, lastJob: job.id, owes: job.id }) };
      return true;
    },
    paid(key, job) {
      const entry = entries.get(keyOf(key));
      if (entry?.row.owes === job) entry.row = { ...entry.row, owes: undefined };
    },
    pause(key, next) {
      const entry = entries.get(keyOf(key));
      if (entry === undefined) return false;
      const { row } = entry;
      entry.row = { ...row, paused: next === undefined, next: row.paused && next !== undefined ? next : row.next };
      return true;
    },
  };
}

function keyOf({ tool, number }: ScheduleKey): string {
  return `${tool} ${number}`;
}

function plannedRow({ tool, number, times, definition, next }: PlannedSchedule, known?: Entry): ScheduleRow {
  const none = { last: undefined, lastJob: undefined, owes: undefined, paused: false };
  return { ...(known?.row ?? none), tool, number, definition, next: known?.times === times ? known.row.next : next };
}
