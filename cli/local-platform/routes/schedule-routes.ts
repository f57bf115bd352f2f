import { ToolError } from "../../../runtime/base/errors.ts";
import { pauseSchedule, shownSchedules } from "../../../runtime/executor/store/shown-schedules.ts";
import type { OwnSchedule } from "../../../runtime/executor/store/firing.ts";
import { schedulesOfTool } from "../../../runtime/executor/store/timetable.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";
import type { PlatformStore } from "../jobs/known-jobs.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import type { RegisteredService } from "../services/known-services.ts";
import { schedulesOf } from "../services/service-schedules.ts";
import { notFound, type Exchange } from "./exchange.ts";
import { callerOf, refuseJobs } from "./job-access.ts";

/** Maximum bytes of the body, which is `true` or `false`. */
const bodyLimit = 100;
const notStored = ["Cache-Control", "no-store"] as const;

export interface ScheduleRouteOptions {
  readonly store: PlatformStore;
  readonly tokens: JobTokens;
}

/**
 * `GET /services2/{service}/schedules`: the schedules that the platform fires for a service. `PUT
 * /services2/{service}/schedules/{tool}/{number}/paused`, with `true` or `false`: pauses one, or resumes it.
 */
export async function answerSchedules(
  exchange: Exchange,
  service: RegisteredService,
  { store, tokens }: ScheduleRouteOptions,
): Promise<void> {
  refuseJobs(callerOf(exchange, tokens));
  const [, , , tool, number, below] = exchange.segments;
  const scheduled = schedulesOf(service);
  const named = new Map(scheduled.map((one) => [one.name, one.tool]));
  /** Names the tool as its service does, and the beginning of the ids of its jobs. */
  const shown = (item: Readonly<Record<string, unknown>>): object => {
    const name = String(item["tool"]);
    return { ...item, tool: named.get(name), "job-ids": `schedule~${name}~${String(item["number"])}~` };
  };
  const own = firedOf(scheduled);
  const { schedules: table } = store;
  if (table === undefined) throw notFound("schedule");
  const options = { store, table, own, service: service.key };
  if (tool === undefined && exchange.method === "GET") {
    const { items, ...more } = await shownSchedules(options);
    const list = items as readonly Readonly<Record<string, unknown>>[];
    return exchange.json(200, { items: list.map(shown), ...more }, notStored);
  }
  if (below !== "paused" || exchange.method !== "PUT")
    throw new ToolError("method-not-allowed", "Use GET for the schedules of a service, and PUT for …/paused of one.");
  const paused = parseJsonBody(await exchange.body(bodyLimit));
  if (typeof paused !== "boolean") throw new ToolError("bad-request", "The body must be true or false.");
  const name = scheduled.find((one) => one.tool === tool)?.name ?? "";
  exchange.json(200, shown(await pauseSchedule(options, { tool: name, number: Number(number), paused })), notStored);
}

/** The schedules that are fired: none if one of them is not valid, which the platform has said to its operator. */
function firedOf(scheduled: ReturnType<typeof schedulesOf>): readonly OwnSchedule[] {
  try {
    return scheduled.flatMap(({ name, schedules }) => schedulesOfTool(name, schedules));
  } catch {
    return [];
  }
}
