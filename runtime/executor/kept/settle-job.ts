import { collectResult } from "../../job/result-bytes.ts";
import type { JobOutcome, JobResult } from "../../job/job.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { JobStore, Lease, MaybePromise, WriteAnswer } from "../store/job-store.ts";
import { mayRunElsewhere } from "./lending.ts";
import { storableOutcome } from "./stored-form.ts";

/** Stores the outcome of a job, or gives the job to another process. A stream is collected first. */
export function settleJob(
  store: JobStore,
  job: RunningJob,
  lease: Lease,
  outcome: JobOutcome,
): MaybePromise<WriteAnswer> {
  if (outcome.state === "succeeded" && isStream(outcome.result)) {
    const collected = collectResult(outcome.result);
    return collected.then((result) => settleJob(store, job, lease, { state: "succeeded", result }));
  }
  if (job.parking !== undefined) return store.park(lease, job.parking);
  if (mayRunElsewhere(store, job, outcome)) return store.release(lease, 0);
  return store.settle(lease, storableOutcome(outcome));
}

function isStream(result: JobResult): boolean {
  return result.kind === "binary" && result.content instanceof ReadableStream;
}
