import type { OpenQuestions } from "../../job/question.ts";
import type { JobRecord } from "../store/job-store.ts";

/**
 * Returns the open questions of a stored job. Questions that are answered are left out, even if the job's worker has
 * not read the answers yet.
 */
export function unanswered({ talk, replies = [] }: Pick<JobRecord, "talk" | "replies">): OpenQuestions | undefined {
  if (talk === undefined) return undefined;
  const { open, asked, seen } = talk;
  const isAnswered = (key: string): boolean =>
    replies.slice(seen).some((reply) => reply.key === key && reply.digest === asked[key]);
  const left = Object.entries(open).filter(([key]) => !isAnswered(key));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
