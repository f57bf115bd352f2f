import type { JobOutcome } from "../../job/job.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { hasDeadLetters } from "../store/dead-letters.ts";
import type { JobStore } from "../store/job-store.ts";

/** Seconds without a renewal after which another process may claim a job. */
export const leaseSeconds = 15;

/**
 * Name of this process as a worker, for a store that replicas share: the host name, which is the pod's name on
 * Kubernetes.
 */
export function workerName({ isShared }: JobStore): string | undefined {
  return isShared === true ? process.getBuiltinModule("node:os").hostname() : undefined;
}

/** True when another process may run a job that waits here and has not begun. */
export function mayLend({ isShared }: JobStore, { submission, kept, began }: RunningJob): boolean {
  // The job can only run here: another process can neither ask its client, nor does it have the platform's token.
  const isBound = submission.client !== undefined || submission.authorization !== undefined;
  return isShared === true && !kept && !began && !isBound;
}

/** True for a tool whose jobs may run again from the start: it is idempotent, or its steps are stored. */
export function mayRepeat({ definition }: Tool): boolean {
  return definition.annotations.idempotentHint === true || definition.durable === true;
}

/** True for a job that this process gives up at its shutdown, and that another process can run from the start. */
export function mayRunElsewhere(store: JobStore, { tool, began, hasKept }: RunningJob, outcome: JobOutcome): boolean {
  const isGivenUp = outcome.state === "error" && outcome.error.kind === "draining";
  if (!isGivenUp) return false;
  const isDurable = tool.definition.durable === true || hasKept;
  // Without replicas, the next process can continue a durable job, if the store outlives this process.
  return (store.isShared === true && (!began || mayRepeat(tool))) || (isDurable && hasDeadLetters(store));
}
