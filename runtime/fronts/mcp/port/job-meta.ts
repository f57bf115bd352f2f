import type { JsonObject } from "../../../contract/contract.ts";
import type { JobUrn } from "../../../job/job.ts";

/** Key of the job's id in a result's `_meta`. */
const jobIdKey = "platform/job-id";

/** Names the job, so that a caller can find it in logs, traces and over REST. */
export function jobMeta(jobId: JobUrn | undefined): JsonObject {
  return jobId === undefined ? {} : { [jobIdKey]: jobId };
}
