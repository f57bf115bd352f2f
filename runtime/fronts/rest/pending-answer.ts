import type { Answer } from "../http/answer.ts";
import { ToolError } from "../../base/errors.ts";
import { problemAnswer, problemBody } from "../http/problem.ts";
import { bareJobId } from "../../job/job-id.ts";
import type { Job } from "../../job/job.ts";

const defaultRefreshInterval = 3;

/** Makes the answer for a job that has not ended, with the address to poll and the delay. */
export function pendingAnswer(job: Job, deferredStatus: 202 | 204, base?: string): Answer {
  const seconds = job.tool.options.refreshInterval ?? defaultRefreshInterval;
  const location = jobLocation(job, base);
  const headers = [
    "Location",
    location,
    "Retry-After",
    String(Math.ceil(seconds)),
    "Retry-Later",
    String(seconds),
    "Platform-Self-Report-Result",
    "true",
    "job-id",
    job.id,
  ];
  if (deferredStatus === 204) return { status: 204, headers, body: undefined };
  // If the job does not wait, `job.waitsFor` is undefined, and the JSON does not contain the key `waits-for`.
  const body = { "job-id": job.id, status: job.state, location, "retry-later": seconds, "waits-for": job.waitsFor };
  return { status: 202, headers: ["Content-Type", "application/json", ...headers], body: JSON.stringify(body) };
}

/** The address at which a job can be polled. */
export function jobLocation(job: Job, base = ""): string {
  return `${base}/jobs/${bareJobId(job.id)}`;
}

/** Makes the answer for a job that can no longer be cancelled. */
export function endedAnswer({ id, state }: Job): Answer {
  const ended = new ToolError("gone", `The job has ended already, as ${state}.`);
  return { ...problemAnswer(ended, id), status: 409, body: JSON.stringify(problemBody(ended, id, 409)) };
}
