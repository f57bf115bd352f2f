import type { JobOutcome, JobResult } from "../../job/job.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { JobStore, Lease, WriteAnswer, StoredOutcome } from "../store/job-store.ts";
import { mayRunElsewhere } from "./lending.ts";
import type { MaybePromise } from "../store/maybe-promise.ts";

/** Stores the outcome of a job, or releases the job for another process. A stream is collected first. */
export function settleJob(
  store: JobStore,
  job: RunningJob,
  lease: Lease,
  outcome: JobOutcome,
): MaybePromise<WriteAnswer> {
  if (outcome.state === "succeeded" && isStream(outcome.result)) {
    const { result } = outcome;
    return import("../../job/result-stream.ts")
      .then(({ collectResult }) => collectResult(result))
      .then((collected) => settleJob(store, job, lease, { state: "succeeded", result: collected }));
  }
  if (job.parking !== undefined) return store.park(lease, job.parking);
  if (mayRunElsewhere(store, job, outcome)) return store.release(lease, 0);
  return store.settle(lease, storableOutcome(outcome));
}

function isStream(result: JobResult): boolean {
  return result.kind === "binary" && result.content instanceof ReadableStream;
}

/** Converts an outcome for the store. Streams must have been collected. */
function storableOutcome(outcome: JobOutcome): StoredOutcome {
  if (outcome.state !== "succeeded") {
    const { kind, message, problems } = outcome.error;
    return { state: outcome.state, error: { kind, message, ...(problems === undefined ? {} : { problems }) } };
  }
  const { result } = outcome;
  if (result.kind !== "binary") return { state: "succeeded", result };
  const { contentType, content } = result;
  if (content instanceof ReadableStream) throw new TypeError("A stream cannot be stored.");
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return { state: "succeeded", result: { kind: "binary", contentType, content: bytes } };
}
