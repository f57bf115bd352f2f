import { ToolError } from "../../base/errors.ts";
import type { JobLimit } from "../../job/limits/job-limit.ts";
import { lineName } from "../../job/limits/job-limit.ts";
import type { SubmitAnswer } from "./job-store.ts";

/** `refused`: the limit of the key is reached, and the job must not wait. */
export type TakenAnswer = SubmitAnswer | { readonly kind: "refused" };

/** Throws for a refused job, after the transaction that has refused it. */
export function orRefuse(answer: TakenAnswer, limit: JobLimit | undefined): SubmitAnswer {
  if (answer.kind === "refused") throw limitError(limit);
  return answer;
}

/** The error for a call above the limit of its key. */
export function limitError(limit: JobLimit | undefined): ToolError {
  const { key = "", jobs = 0, retryAfter = 1 } = limit ?? {};
  const [tool, per] = key.split(" ", 2);
  const whose = per === undefined ? `of ${tool}` : `of ${tool} for this ${lineName(key)}`;
  const many = jobs === 1 ? "One job" : `${jobs} jobs`;
  return new ToolError("too-many-requests", `${many} ${whose} may run at a time, and as many do. Try again later.`, {
    retryAfter,
  });
}

/** The cancellation reason of a job that was replaced by a newer one. */
export const replacedReason = "A newer job of the same key took its place.";
