import { serviceKey } from "../../contract/definition/service-key.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Executor } from "../executor.ts";
import { createMemorySchedules } from "../store/memory/memory-schedules.ts";
import type { ScheduleTable } from "../store/schedule-table.ts";
import { createTimetable, lookEvery, type Timetable } from "../store/timetable.ts";
import { patient, type OwnSchedule } from "../store/firing.ts";
import type { JobUrn } from "../../job/job.ts";
import { newJob } from "../kept/new-job.ts";
import { ownSchedules } from "./own-schedules.ts";

/**
 * Minimum seconds for which a scheduled job is stored: while its id exists, other replicas cannot start the job again.
 */
const leastTtl = 3600;
const lagGauge = {
  name: "platform.schedule_lag_seconds",
  unit: "s",
  description: "Time for which a firing of a schedule that is due has waited.",
};

export interface SchedulesOptions {
  readonly executor: Pick<Executor, "store" | "cancel" | "resume" | "draining" | "fired">;
  readonly tools: readonly Tool[];
  /** Name of the service. */
  readonly service: string;
  /** Adds a gauge to the metrics; absent without telemetry. */
  readonly addGauge?: Telemetry["addGauge"];
}

/** Returns the schedule table of a store; creates it if the store has none. */
export function scheduleTable(store: Executor["store"]): ScheduleTable {
  return (store.schedules ??= createMemorySchedules());
}

/** Creates the schedules for the tools of a build. */
export function createSchedules({ executor, tools, service }: SchedulesOptions): Timetable {
  const { store } = executor;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const submit = async ({ tool: name, schedule: { request: input } }: OwnSchedule, id: JobUrn): Promise<void> => {
    const tool = byName.get(name);
    if (tool === undefined) return;
    const { limit, ...job } = newJob({ id, tool, input, submission: { tool, input } });
    const ttl = Math.max(job.ttl, leastTtl);
    await store.submit({ ...job, ttl, ...(limit !== undefined && { limit: patient(limit) }) });
    await executor.resume();
    await executor.fired?.(id, input);
  };
  const host = { table: scheduleTable(store), store, submit, cancel: executor.cancel.bind(executor) };
  return createTimetable(host, service, ownSchedules(tools));
}

/** Fires the schedules of a build until its executor accepts no more jobs. */
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
  // The metric is added once: after a reload, the schedules of the previous build have added it.
  if (isFirst)
    getLogger("tenon").warn(
      "The schedules are in memory, since TENON_STORE is memory: every replica fires them, and what is missed while none runs is not made up for.",
    );
  await turn();
}
