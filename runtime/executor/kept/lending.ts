import type { JobOutcome } from "../../job/job.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { JobStore } from "../store/job-store.ts";

/** Seconds that a process may stay silent about a job before another one gets it. */
export const leaseSeconds = 15;

/** Names who runs the jobs of a store that replicas share: the name of the machine, which is the pod's on Kubernetes. */
export function workerName({ isShared }: JobStore): string | undefined {
  return isShared === true ? process.getBuiltinModule("node:os").hostname() : undefined;
}

/** True when another process may run a job that has not begun here. */
export function mayLend({ isShared }: JobStore, { submission, kept, began }: RunningJob): boolean {
  // Another process can neither ask this client, nor has it the platform's token.
  const isBound = submission.client !== undefined || submission.authorization !== undefined;
  return isShared === true && !kept && !began && !isBound;
}

/** True for a job that this process gives up at its end, and another one can run from its start. */
export function mayRunElsewhere({ isShared }: JobStore, { tool, began }: RunningJob, outcome: JobOutcome): boolean {
  const isGivenUp = outcome.state === "error" && outcome.error.kind === "draining";
  const mayRepeat = !began || tool.definition.annotations.idempotentHint === true;
  return isShared === true && isGivenUp && mayRepeat;
}
