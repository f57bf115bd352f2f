import type { Answer } from "../http/answer.ts";
import { inertHeaders } from "../http/inert-headers.ts";
import { problemAnswer } from "../http/problem.ts";
import type { Job, JobOutcome } from "../../job/job.ts";

/** Makes the answer for an ended job, which is the same for every request. */
export function outcomeAnswer(job: Job, outcome: JobOutcome): Answer {
  if (outcome.state !== "succeeded") return problemAnswer(outcome.error, job.id);
  const { result } = outcome;
  switch (result.kind) {
    case "json":
      return { status: 200, headers: ["Content-Type", "application/json", "job-id", job.id], body: result.json };
    case "text":
      return {
        status: 200,
        headers: ["Content-Type", "text/plain; charset=utf-8", "job-id", job.id, "X-Content-Type-Options", "nosniff"],
        body: result.text,
      };
    case "binary":
      return {
        status: 200,
        headers: ["Content-Type", result.contentType, "job-id", job.id, ...inertHeaders(result.contentType)],
        body: result.content,
      };
  }
}
