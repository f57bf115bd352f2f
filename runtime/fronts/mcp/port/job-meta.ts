import type { JsonObject } from "../../../contract/contract.ts";
import type { JobUrn } from "../../../job/job.ts";

/** Key of a result's `_meta` that holds the job's id. */
const jobIdKey = "platform/job-id";

/** Lets a caller find the job again in logs, traces and over REST. */
export function jobMeta(jobId: JobUrn | undefined): JsonObject {
  return jobId === undefined ? {} : { [jobIdKey]: jobId };
}
