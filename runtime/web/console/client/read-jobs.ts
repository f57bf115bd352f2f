import { shownBeginning } from "../base/shown-request.ts";
import { asRecord, asText, recordsIn, textIn } from "../base/json.ts";
import { jobStates, type Attempt, type JobInfo, type JobPage, type JobQuery } from "./job-info.ts";
import { nextPage } from "./next-page.ts";

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
    asked: job["request"] === undefined ? undefined : shownBeginning(asText(job["request"]) ?? ""),
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

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(asText(value) ?? "");
  return Number.isNaN(time) ? undefined : time;
}
