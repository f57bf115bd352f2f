import type { JsonObject } from "../../../contract/contract.ts";
import type { ProblemBody } from "../../http/problem.ts";
import type { JobEvent } from "../../../job/job.ts";

/** Key of the job's id in a result's `_meta`. */
const jobIdKey = "platform/job-id";
/** Key of a whole event in the `_meta` of its progress notification. */
const eventKey = "platform/event";

/** Key of the problem in a failed result's `_meta`, in the same form as over REST. */
const problemKey = "platform/problem";

/** Returns the whole problem, for clients that read more than its text. */
export function problemMeta(problem: ProblemBody): JsonObject {
  return { [problemKey]: problem as unknown as JsonObject };
}

/** Returns the job's id, by which a caller can find the job in logs, in traces and over REST. */
export function jobMeta(jobId: string | undefined): JsonObject {
  return jobId === undefined ? {} : { [jobIdKey]: jobId };
}

/** Returns the event in the same form as over REST, for clients that show more than its text. */
export function eventMeta({ publicBody }: JobEvent): JsonObject {
  return { [eventKey]: publicBody };
}
