import { bareId } from "../base/ids.ts";
import { asText, recordsIn, textIn } from "../base/json.ts";
import type { Backend } from "../client/backend.ts";
import type { ServiceInfo } from "../client/definition.ts";
import type { JobInfo } from "../client/job-info.ts";
import { hasSchedules } from "./has-schedules.ts";

/** A schedule of a tool, as `GET /schedules` has it. Times are ISO texts. */
export interface Schedule {
  /** Key of the service on a platform; else empty. */
  readonly service: string;
  /** Name by which texts call it, which is unique. */
  readonly name: string;
  /** Path of the list that has it. */
  readonly path: string;
  readonly tool: string;
  /** Position among the schedules of its tool, from 1. */
  readonly number: number;
  readonly cron: string;
  readonly zone: string;
  readonly isPaused: boolean;
  readonly next: string | undefined;
  readonly last: string | undefined;
  /** URN of the last job. */
  readonly lastJob: string | undefined;
  /** The whole schedule as the service has returned it. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** Fetches the schedules of all services of the page. */
export async function schedulesOf(
  { client, kind }: Backend,
  services: readonly ServiceInfo[],
): Promise<readonly Schedule[]> {
  if (kind === "service") return readSchedules(await client.json("/schedules"), "", "/schedules");
  const lists = services
    .filter((service) => hasSchedules([service]))
    .map(async ({ key }) => {
      const path = `/services2/${key}/schedules`;
      return readSchedules(await client.json(path), key, path);
    });
  return (await Promise.all(lists)).flat();
}

function readSchedules(body: unknown, service: string, path: string): readonly Schedule[] {
  return recordsIn(body, "items").map((item) => ({
    service,
    name: [service, asText(item["tool"]), String(item["number"])].filter(Boolean).join(" "),
    path,
    tool: asText(item["tool"]) ?? "",
    number: Number(item["number"]),
    cron: asText(item["cron"]) ?? "",
    zone: asText(item["zone"]) ?? "UTC",
    isPaused: item["paused"] === true,
    next: asText(item["next"]),
    last: asText(item["last"]),
    lastJob: textIn(item["last-job"], "id"),
    whole: item,
  }));
}

/** Maximum number of pages of jobs that are searched for the jobs of a schedule. */
const mostPages = 5;

/** The stored jobs of a schedule, the latest first: from the first page of its tool's jobs that contains any. */
export async function jobsOf(backend: Backend, schedule: Schedule): Promise<readonly JobInfo[]> {
  const { service, tool, number, whole } = schedule;
  const ids = asText(whole["job-ids"]) ?? `schedule~${tool}~${number}~`;
  let page: string | undefined;
  for (let read = 0; read < mostPages; read += 1) {
    const found = await backend.jobs({ state: "", of: service || tool, find: "", page });
    const jobs = found.items.filter(({ id }) => bareId(id).startsWith(ids));
    if (jobs.length > 0 || found.next === undefined) return jobs;
    page = found.next;
  }
  return [];
}
