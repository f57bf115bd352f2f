import { createHash } from "node:crypto";
import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import type { ScheduleDefinition } from "../../../runtime/contract/contract.ts";
import { patient, type FiringHost } from "../../../runtime/executor/store/firing.ts";
import { createTimetable, lookEvery, schedulesOfTool } from "../../../runtime/executor/store/timetable.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { PlatformStore } from "../jobs/known-jobs.ts";
import type { RegisteredService } from "./known-services.ts";
import { turnOfJob } from "./service-limits.ts";
import { requestSchema } from "./service-tools.ts";
import type { ServiceRegistry } from "./service-registry.ts";

/** Maximum characters of a schedule's name, so that the ids of its firings are not too long. */
const longestName = 90;

export interface ServiceSchedulesOptions {
  readonly services: ServiceRegistry;
  readonly queue: JobQueue;
  readonly store: PlatformStore;
  /** Takes log lines for the operator of the platform. */
  readonly warn?: ((line: string) => void) | undefined;
}

/**
 * Starts the jobs of services whose workers fetch them, at the times of their definitions. Each firing starts one job,
 * even if there are several replicas. A service that is called over REST starts its scheduled jobs itself.
 */
export function startServiceSchedules(options: ServiceSchedulesOptions): { stop(): void } {
  const { services } = options;
  const running = new Map<string, () => void>();
  const see = (service: RegisteredService): void => {
    const stop = running.get(service.key);
    stop?.();
    running.delete(service.key);
    // A service that had schedules before is planned again, to remove its old schedules.
    if (stop !== undefined || schedulesOf(service).length > 0) running.set(service.key, run(service, options));
  };
  for (const service of services.all) see(service);
  const stopListening = services.onChange(see);
  return {
    stop() {
      stopListening();
      for (const stop of running.values()) stop();
    },
  };
}

/** The schedules of one tool. */
interface Scheduled {
  /** Name of the tool in its service. */
  readonly tool: string;
  /** Name that is unique among the tools of all services. */
  readonly name: string;
  readonly schedules: readonly ScheduleDefinition[];
}

/** The scheduled tools of a service whose workers fetch their jobs. */
export function schedulesOf({ key, url, definition }: RegisteredService): readonly Scheduled[] {
  const { tools } = definition;
  if (url !== undefined || !Array.isArray(tools)) return [];
  return (tools as readonly unknown[]).flatMap((tool) => {
    if (!isObject(tool) || !Array.isArray(tool["schedules"])) return [];
    // A worker of another tool must not run it.
    const $schema = tools.length === 1 ? undefined : requestSchema(tool);
    const schedules = (tool["schedules"] as readonly unknown[])
      .filter(isObject)
      .map(toSchedule)
      .map((one) =>
        $schema === undefined ? one : { ...one, request: { $schema, ...(isObject(one.request) ? one.request : {}) } },
      );
    const name = tools.length === 1 ? key : `${key}.${String(tool["name"])}`;
    return schedules.length === 0 ? [] : [{ tool: String(tool["name"]), name: shortened(name), schedules }];
  });
}

/** Converts a schedule of a definition, whose times are in seconds. */
function toSchedule({ jitter, ...schedule }: Readonly<Record<string, unknown>>): ScheduleDefinition {
  const known = { zone: "UTC", missed: "one", overlap: "skip", ...schedule } as unknown as ScheduleDefinition;
  return typeof jitter === "number" ? { ...known, jitter: jitter * 1000 } : known;
}

function shortened(name: string): string {
  if (name.length <= longestName) return name;
  return `${name.slice(0, longestName - 17)}.${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** Runs the present schedules of a service until the returned function is called. */
function run(service: RegisteredService, { queue, store, warn }: ServiceSchedulesOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const { schedules: table } = store;
  const host: FiringHost | undefined = table && {
    table,
    store,
    async submit({ schedule }, id) {
      const text = JSON.stringify(schedule.request ?? {});
      const { limit, ...turn } = turnOfJob(service, text);
      const content = { type: "application/json", text };
      await queue.submit({ id, service: service.key, content, ...turn, ...(limit && { limit: patient(limit) }) });
    },
    cancel: (id, reason) => queue.cancel(id, reason),
  };
  const failed = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    if (!isOver) warn?.(`The schedules of ${service.key} are late or cannot be read: ${why}`);
  };
  const begin = (): void => {
    if (host === undefined) return;
    const own = schedulesOf(service).flatMap(({ name, schedules }) => schedulesOfTool(name, schedules));
    const timetable = createTimetable(host, service.key, own);
    let isPlanned = false;
    let hasFailed = false;
    const turn = async (): Promise<void> => {
      let wait = lookEvery;
      try {
        if (!isPlanned) await timetable.plan();
        isPlanned = true;
        wait = await timetable.look();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) failed(error);
        hasFailed = true;
      }
      if (!isOver) timer = setTimeout(() => void turn(), wait).unref();
    };
    void turn();
  };
  try {
    begin();
  } catch (error) {
    // The expression or the zone may be one that this version does not support.
    failed(error);
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
