import { asRecord, asText, recordsIn } from "../base/json.ts";

/** States of a job. */
export const jobStates = ["pending", "executing", "succeeded", "failed", "error", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** A job of a list. Times are milliseconds since 1970. */
export interface JobInfo {
  readonly id: string;
  readonly state: JobState;
  /** Name of the tool; on a platform, of the service. */
  readonly label: string;
  readonly attempt: number;
  readonly requestedAt: number | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly isDead: boolean;
  readonly message: string | undefined;
}

/** A page of a list of jobs. */
export interface JobPage {
  readonly items: readonly JobInfo[];
  /** Names the next page; undefined: this is the last. */
  readonly next: string | undefined;
}

/** Reads a job of a list, or a job's record of a platform. */
export function readJob(value: unknown): JobInfo {
  const job = asRecord(value);
  const state = jobStates.find((known) => known === job["status"]) ?? "pending";
  return {
    id: asText(job["id"]) ?? "",
    state,
    label: asText(job["tool"]) ?? asText(job["service-name"]) ?? "",
    attempt: Number(job["attempt"] ?? 0),
    requestedAt: timeOf(job["requested-at"]),
    startedAt: timeOf(job["started-at"]),
    endedAt: timeOf(job["finished-at"]) ?? timeOf(job["ended-at"]),
    isDead: job["dead-letter"] === true,
    message: asText(job["error-message"]),
  };
}

/** True when a job in this state does not change any more. */
export function hasEnded(state: unknown): boolean {
  return state !== "pending" && state !== "executing";
}

/** Reads a page of jobs. */
export function readJobPage(value: unknown): JobPage {
  const next = recordsIn(value, "links").find(({ rel }) => rel === "next");
  return {
    items: recordsIn(value, "items").map(readJob),
    next: /[?&]page=(\d+)/.exec(asText(next?.["href"]) ?? "")?.[1],
  };
}

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(asText(value) ?? "");
  return Number.isNaN(time) ? undefined : time;
}
