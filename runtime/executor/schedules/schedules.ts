import { serviceKey } from "../../contract/definition/service-key.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Executor } from "../executor.ts";
import { createMemorySchedules } from "../store/memory/memory-schedules.ts";
import type { ScheduleRow, ScheduleTable } from "../store/schedule-table.ts";
import { fireIfDue } from "./firing.ts";
import { ownSchedules } from "./own-schedules.ts";

/** Maximum milliseconds between two reads: another replica may have resumed a schedule. */
const lookEvery = 15_000;
const lagGauge = {
  name: "platform.schedule_lag_seconds",
  unit: "s",
  description: "Time for which a firing of a schedule that is due has waited.",
};

export interface SchedulesOptions {
  readonly executor: Pick<Executor, "store" | "cancel" | "resume" | "draining">;
  readonly tools: readonly Tool[];
  /** Name of the service. */
  readonly service: string;
  /** Adds a gauge to the metrics; absent without telemetry. */
  readonly addGauge?: Telemetry["addGauge"];
}

/** The schedules of a build, in the table of its store. */
export interface Schedules {
  /** Writes the schedules into the table, replacing those of an earlier build. */
  plan(): Promise<void>;
  /** Fires what is due. Resolves to the milliseconds until it must be called again. */
  look(): Promise<number>;
  /** Milliseconds by which each schedule's firing is late; 0 if it is not due. */
  lags(): Promise<readonly { readonly tool: string; readonly lag: number }[]>;
}

/** The schedule table of a store. A store without one gets one in memory. */
export function scheduleTable(store: Executor["store"]): ScheduleTable {
  return (store.schedules ??= createMemorySchedules());
}

/** The schedules of the tools of a build. */
export function createSchedules({ executor, tools, service }: SchedulesOptions): Schedules {
  const table = scheduleTable(executor.store);
  const own = ownSchedules(tools);
  return {
    async plan() {
      const { now } = await table.read(service);
      const planned = own.flatMap(({ tool, number, schedule: { cron, zone }, times, text }) => {
        const next = times.after(now);
        return next === undefined
          ? []
          : [{ tool: tool.name, number, times: `${cron} ${zone}`, definition: text, next }];
      });
      await table.plan(service, planned);
    },
    async look() {
      const { now, rows } = await table.read(service);
      const known = new Map<string, ScheduleRow>(rows.map((row) => [`${row.tool} ${row.number}`, row]));
      let wait = lookEvery;
      const failed: unknown[] = [];
      for (const schedule of own) {
        const row = known.get(`${schedule.tool.name} ${schedule.number}`);
        if (row === undefined) continue;
        try {
          wait = Math.min(wait, await fireIfDue({ executor, table }, schedule, row, now));
        } catch (error) {
          // A failure of one schedule must not delay the others.
          failed.push(error);
        }
      }
      if (failed.length > 0) throw failed[0];
      return wait;
    },
    async lags() {
      const { now, rows } = await table.read(service);
      return rows.map(({ tool, next = now, paused }) => ({ tool, lag: paused ? 0 : Math.max(0, now - next) }));
    },
  };
}

/** Fires the schedules of a build until its executor takes no more jobs. */
export async function startSchedules(options: SchedulesOptions): Promise<void> {
  const { executor } = options;
  const isFirst = executor.store.schedules === undefined;
  const schedules = createSchedules(options);
  options.addGauge?.(lagGauge, async () => {
    const lags = executor.draining ? [] : await schedules.lags();
    const service = serviceKey(options.service);
    return lags.map(({ tool, lag }) => ({ value: lag / 1000, attributes: { service, tool } }));
  });
  let isPlanned = false;
  let hasFailed = false;
  const turn = async (): Promise<void> => {
    if (executor.draining) return;
    let wait = lookEvery;
    try {
      if (!isPlanned) await schedules.plan();
      isPlanned = true;
      wait = await schedules.look();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed && !executor.draining)
        getLogger("tenon").error({ error: describeThrown(error) }, "The schedules cannot be read; they are late");
      hasFailed = true;
    }
    setTimeout(() => void turn(), wait).unref();
  };
  // A reload of the service finds the schedule table of the build before.
  if (isFirst)
    getLogger("tenon").warn(
      "The schedules are in memory, since TENON_STORE is memory: every replica fires them, and what is missed while none runs is not made up for.",
    );
  await turn();
}
