import { bareId } from "../base/ids.ts";
import { asText, recordsIn, textIn } from "../base/json.ts";
import type { Backend } from "../client/backend.ts";
import type { JobInfo } from "../client/job-info.ts";

/** A schedule of a tool, as `GET /schedules` has it. Times are ISO texts. */
export interface Schedule {
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

/** Reads the body of `GET /schedules`. */
export function readSchedules(body: unknown): readonly Schedule[] {
  return recordsIn(body, "items").map((item) => ({
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
export async function jobsOf(backend: Backend, { tool, number }: Schedule): Promise<readonly JobInfo[]> {
  let page: string | undefined;
  for (let read = 0; read < mostPages; read += 1) {
    const found = await backend.jobs({ state: "", of: tool, find: "", page });
    const jobs = found.items.filter(({ id }) => bareId(id).startsWith(`schedule~${tool}~${number}~`));
    if (jobs.length > 0 || found.next === undefined) return jobs;
    page = found.next;
  }
  return [];
}
