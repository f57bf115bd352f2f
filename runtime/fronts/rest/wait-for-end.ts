import type { Job, JobOutcome } from "../../job/job.ts";
import type { Exchange } from "../http/exchange.ts";

/** Resolves to the outcome of a job when it ends; to undefined after `seconds`, or when the caller has disconnected. */
export function waitForEnd(
  job: Job,
  seconds: number,
  exchange: Pick<Exchange, "onGone">,
): Promise<JobOutcome | undefined> {
  if (job.outcome !== undefined || seconds === 0) return Promise.resolve(job.outcome);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve(job.outcome);
    };
    const timer = setTimeout(stop, seconds * 1000);
    job.onEnd(stop);
    exchange.onGone(stop);
  });
}
