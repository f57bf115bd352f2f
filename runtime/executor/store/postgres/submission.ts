import { randomUUID } from "node:crypto";
import type { NewJob, SubmitAnswer } from "../job-store.ts";
import { orRefuse, type TakenAnswer } from "../refusal.ts";

/** A job that is being submitted. */
export interface Submission {
  readonly job: NewJob;
  /** JSON of the input at the time of the call. */
  readonly input: string | null;
  readonly leaseSeconds: number | undefined;
  readonly token: string;
  readonly worker: string | undefined;
}

export function newSubmission(job: NewJob, leaseSeconds?: number, worker?: string): Submission {
  const input = job.input === undefined ? null : JSON.stringify(job.input);
  return { job, input, leaseSeconds, token: randomUUID(), worker };
}

/** Returns the answer to a submission; throws if the job would have to wait for its turn and must not. */
export async function taken(answer: Promise<TakenAnswer>, { job }: Submission): Promise<SubmitAnswer> {
  return orRefuse(await answer, job.limit);
}
