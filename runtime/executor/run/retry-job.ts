import { jobTries } from "../../job/steps/kept-step.ts";
import { mayTryAgain } from "../../job/steps/step-errors.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { currentJob } from "../../job/current-job.ts";
import type { RunningJob } from "../running/running-job.ts";
import { delayBefore } from "./backoff.ts";
import { departureOf } from "./departure.ts";

export interface RetryHooks {
  /** Runs the job again. */
  readonly again: (job: RunningJob) => void;
  readonly giveUp: (job: RunningJob, thrown: unknown) => void;
}

/**
 * Retries a failed job by its `@retry`. The number of attempts is stored with the job, so that a crash does not add
 * further ones. The caller has counted this as running, so that the job stays in its process.
 */
export async function retryJob(job: RunningJob, thrown: unknown, { again, giveUp }: RetryHooks): Promise<void> {
  const { retry } = job.tool.definition;
  if (retry === undefined || !mayTryAgain(thrown)) return giveUp(job, thrown);
  const departure = departureOf(job);
  departure.endRun();
  try {
    const book = await job.book();
    const tries = (book.known.get(jobTries)?.tries ?? 0) + 1;
    if (tries >= retry.attempts) return giveUp(job, thrown);
    const delay = delayBefore(tries, retry, thrown);
    await book.keep({ key: jobTries, state: "running", tries, fingerprint: "", delay });
    currentJob.run(job, () =>
      getLogger("tenon").warn(
        { tries, seconds: Math.round(delay / 1000), error: describeThrown(thrown) },
        "the job failed, and is tried again",
      ),
    );
    await departure.until(departure.run, book, jobTries);
    if (job.ending !== undefined) return;
    job.awaitsRetry = false;
    job.clock?.restart();
    again(job);
  } catch (error) {
    // The job has been stopped meanwhile, or the store cannot be written.
    giveUp(job, job.signal.aborted ? error : thrown);
  } finally {
    departure.ended();
  }
}
