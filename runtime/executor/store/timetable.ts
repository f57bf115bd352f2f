import type { ScheduleDefinition } from "../../contract/contract.ts";
import { firingTimes } from "../../contract/firing-times.ts";
import { dueOf, fireIfDue, type FiringHost, type OwnSchedule, type QueuedUntil } from "./firing.ts";
import type { ScheduleRow } from "./schedule-table.ts";

/** Milliseconds between two reads when nothing is due: another replica may have resumed a schedule. */
export const lookEvery = 15_000;

/** The schedules of a build, over the table of its store. */
export interface Timetable {
  /** Puts the schedules of this build into the table, in place of those of an earlier build. */
  plan(): Promise<void>;
  /** Fires the schedules that are due. Resolves to the milliseconds until it must be called again. */
  look(): Promise<number>;
  /** For each tool, the milliseconds for which a due firing has waited at most; 0 if none is due. */
  lags(): Promise<readonly { readonly tool: string; readonly lag: number }[]>;
}

/** The schedules of a tool, by their definitions. Throws for an expression or a zone that is not valid. */
export function schedulesOfTool(tool: string, schedules: readonly ScheduleDefinition[]): readonly OwnSchedule[] {
  return schedules.map((schedule, index) => ({
    tool,
    number: index + 1,
    schedule,
    times: firingTimes(schedule),
    text: JSON.stringify(schedule),
  }));
}

/** The schedules of a service. */
export function createTimetable(host: FiringHost, service: string, own: readonly OwnSchedule[]): Timetable {
  const { table } = host;
  const queued: QueuedUntil = new Map();
  return {
    async plan() {
      const { now } = await table.read(service);
      const planned = own.flatMap(({ tool, number, schedule: { cron, zone }, times, text }) => {
        const next = times.after(now);
        return next === undefined ? [] : [{ tool, number, times: `${cron} ${zone}`, definition: text, next }];
      });
      await table.plan(service, planned);
    },
    async look() {
      const { now, rows } = await table.read(service);
      const known = new Map<string, ScheduleRow>(rows.map((row) => [`${row.tool} ${row.number}`, row]));
      let wait = lookEvery;
      const failed: unknown[] = [];
      for (const schedule of own) {
        const row = known.get(`${schedule.tool} ${schedule.number}`);
        if (row === undefined) continue;
        try {
          wait = Math.min(wait, await fireIfDue(host, schedule, row, now, queued));
        } catch (error) {
          // The error is thrown at the end, so that it does not delay the other schedules.
          failed.push(error);
        }
      }
      if (failed.length > 0) throw failed[0];
      return wait;
    },
    async lags() {
      const { now, rows } = await table.read(service);
      const lags = new Map<string, number>();
      for (const { tool, number, next = now, paused } of rows) {
        const schedule = own.find((one) => one.tool === tool && one.number === number);
        const due = schedule === undefined ? next : dueOf(schedule, next);
        lags.set(tool, Math.max(lags.get(tool) ?? 0, paused ? 0 : now - due));
      }
      return Array.from(lags, ([tool, lag]) => ({ tool, lag }));
    },
  };
}
