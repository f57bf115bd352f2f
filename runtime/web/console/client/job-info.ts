import { asRecord, asText, recordsIn, textIn } from "../base/json.ts";

/** States of a job. */
export const jobStates = ["pending", "executing", "succeeded", "failed", "error", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** An attempt of a job: the period in which one worker had the job. */
export interface Attempt {
  readonly attempt: number;
  /** `lost` and `released`: another attempt has followed, or will follow. */
  readonly state: string;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly worker?: string | undefined;
  /** Description of how the worker died. */
  readonly detail?: string | undefined;
  /** Number of the last event of the attempt; NaN if unknown. */
  readonly lastEvent: number;
}

/** A job of a list. Times are milliseconds since 1970. */
export interface JobInfo {
  readonly id: string;
  readonly state: JobState;
  /** URN of the service; only on a platform. */
  readonly service: string | undefined;
  /** Name of the tool. Undefined if a platform does not know which tool of its service the job runs. */
  readonly tool: string | undefined;
  /** Name of the tool, else that of the service. */
  readonly label: string;
  /** Name of the message for which the job is parked; only on a platform. */
  readonly waitsFor: string | undefined;
  readonly attempt: number;
  readonly requestedAt: number | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly isDead: boolean;
  readonly traceId: string | undefined;
  /** Origin of the job in words; undefined if unknown. */
  readonly origin: string | undefined;
  /** Sentence of the error that ended the job. */
  readonly cause: string | undefined;
  /** Beginning of the request as JSON; only for users who may see it. */
  readonly asked: string | undefined;
  /** Attempts of the job; only present if the job was requested alone. */
  readonly attempts: readonly Attempt[];
}

/** Filter of a list; an empty text matches all jobs. */
export interface JobFilter {
  readonly state: string;
  /** Name of a tool; on a platform, key of a service. */
  readonly of: string;
  /** A trace id, or the id of a job. */
  readonly find: string;
}

export interface JobQuery extends JobFilter {
  /** Token of the page; undefined: the first page. */
  readonly page?: string | undefined;
}

/** A page of a list of jobs. */
export interface JobPage {
  readonly items: readonly JobInfo[];
  /** Token of the next page; undefined: this page is the last. */
  readonly next: string | undefined;
}

const origins: Readonly<Record<string, string>> = {
  rest: "REST",
  mcp: "MCP",
  schedule: "schedule",
  fork: "run again",
};

/** Reads a job of a list, or a job's record of a platform. */
export function readJob(value: unknown): JobInfo {
  const job = asRecord(value);
  const tool = asText(job["tool"]);
  const state = jobStates.find((known) => known === job["status"]) ?? "pending";
  return {
    id: asText(job["id"]) ?? "",
    state,
    service: asText(job["service"]),
    tool,
    label: tool ?? asText(job["service-name"]) ?? "",
    waitsFor: textIn(job["waits-for"], "message"),
    attempt: Number(job["attempt"] ?? 0),
    requestedAt: timeOf(job["requested-at"]),
    startedAt: timeOf(job["started-at"]),
    endedAt: timeOf(job["finished-at"]) ?? timeOf(job["ended-at"]),
    isDead: job["dead-letter"] === true,
    traceId: asText(job["trace-id"]),
    origin: origins[asText(job["origin"]) ?? ""],
    cause: asText(job["error-message"]),
    asked: asText(job["request"]),
    attempts: recordsIn(job, "attempts").map(readAttempt),
  };
}

function readAttempt(value: Readonly<Record<string, unknown>>): Attempt {
  return {
    attempt: Number(value["attempt"]),
    state: asText(value["status"]) ?? "",
    startedAt: timeOf(value["started-at"]),
    endedAt: timeOf(value["finished-at"]),
    worker: asText(value["worker"]),
    detail: asText(value["detail"]),
    lastEvent: Number(value["last-event"]),
  };
}

/** True when a job in this state does not change any more. */
export function hasEnded(state: unknown): boolean {
  return state !== "pending" && state !== "executing";
}

/** Makes the query for a list of jobs. 32 hex digits are searched as a trace id, any other text as the id of a job. */
export function jobQuery({ state, page, find }: JobQuery): URLSearchParams {
  return new URLSearchParams({
    limit: "200",
    ...(state && { status: state }),
    ...(page && { page }),
    ...(find && { [/^[\da-f]{32}$/.test(find) ? "trace" : "id"]: find }),
  });
}

/** Reads a page of jobs. */
export function readJobPage(value: unknown): JobPage {
  return { items: recordsIn(value, "items").map(readJob), next: nextPage(value) };
}

/** Returns the token of the next page of a list; undefined: this page is the last. */
export function nextPage(value: unknown): string | undefined {
  const next = recordsIn(value, "links").find(({ rel }) => rel === "next");
  return /[?&]page=(\d+)/.exec(asText(next?.["href"]) ?? "")?.[1];
}

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(asText(value) ?? "");
  return Number.isNaN(time) ? undefined : time;
}
