import type { Job, JobOutcome } from "../../job/job.ts";

/** The outcome of a job as soon as it has one; undefined after `seconds`, or when the client has disconnected. */
export function waitForEnd(job: Job, seconds: number, signal: AbortSignal): Promise<JobOutcome | undefined> {
  if (job.outcome !== undefined || seconds === 0 || signal.aborted) return Promise.resolve(job.outcome);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve(job.outcome);
    };
    const timer = setTimeout(stop, seconds * 1000);
    signal.addEventListener("abort", stop);
    job.onEnd(stop);
  });
}
