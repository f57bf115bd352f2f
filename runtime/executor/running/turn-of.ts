import type { JobTurn } from "../../job/limits/job-limit.ts";
import type { RunningJob } from "./running-job.ts";

/** Returns the limit and the head start of a job. They are computed once, since that validates the request. */
export function turnOf(job: Pick<RunningJob, "tool" | "submission" | "turn">): JobTurn | undefined {
  const { limits } = job.tool.functions;
  return limits && (job.turn ??= limits(job.tool as never, job.submission as never) as JobTurn);
}
