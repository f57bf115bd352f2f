import { ToolError } from "../../base/errors.ts";
import { lineName, type JobLimit } from "../../job/limits/job-limit.ts";
import type { SubmitAnswer } from "./job-store.ts";

/**
 * Answer of a store to a submission. `refused`: as many jobs of the key as allowed run or have started, and the job
 * must not wait. `wait`: if a rate has refused the job, milliseconds until one more job may start.
 */
export type TakenAnswer = SubmitAnswer | { readonly kind: "refused"; readonly wait?: number };

/** Throws for a refused job; called after the transaction that has refused it. */
export function orRefuse(answer: TakenAnswer, limit: JobLimit | undefined): SubmitAnswer {
  if (answer.kind === "refused") throw limitError(limit, answer.wait);
  return answer;
}

/** The error for a call above the limit of its key. */
export function limitError(limit: JobLimit | undefined, wait = 0): ToolError {
  const { key = "", jobs = 0, rate, retryAfter = 1 } = limit ?? {};
  const [tool, per] = key.split(" ", 2);
  const whose =
    per === undefined ? `of ${tool}` : `of ${tool} for this ${per === "caller.client" ? "application" : lineName(key)}`;
  const many = jobs === 1 ? "One job" : `${jobs} jobs`;
  const why =
    rate !== undefined && wait > 0
      ? `Jobs ${whose} start at ${rate.text} at most, and so many have.`
      : `${many} ${whose} may run at a time, and as many do.`;
  const seconds = wait > 0 ? Math.ceil(wait / 1000) : retryAfter;
  return new ToolError("too-many-requests", `${why} Try again later.`, { retryAfter: seconds });
}

/** The cancellation reason of a job that was replaced by a newer one. */
export const replacedReason = "A newer job of the same key took its place.";
