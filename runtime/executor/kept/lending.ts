import type { JobOutcome } from "../../job/job.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { hasDeadLetters } from "../store/dead-letters.ts";
import type { JobStore } from "../store/job-store.ts";

/** Seconds that a process may stay silent about a job before another one gets it. */
export const leaseSeconds = 15;

/**
 * Names who runs the jobs of a store that replicas share: the name of the machine, which is the pod's on Kubernetes.
 */
export function workerName({ isShared }: JobStore): string | undefined {
  return isShared === true ? process.getBuiltinModule("node:os").hostname() : undefined;
}

/** True when another process may run a job that has not begun here. */
export function mayLend({ isShared }: JobStore, { submission, kept, began }: RunningJob): boolean {
  // Another process can neither ask this client, nor has it the platform's token.
  const isBound = submission.client !== undefined || submission.authorization !== undefined;
  return isShared === true && !kept && !began && !isBound;
}

/** True for a tool whose jobs may run again from their start: it says so, or it finds there what it has kept. */
export function mayRepeat({ definition }: Tool): boolean {
  return definition.annotations.idempotentHint === true || definition.durable === true;
}

/** True for a job that this process gives up at its end, and another one can run from its start. */
export function mayRunElsewhere(store: JobStore, { tool, began, hasKept }: RunningJob, outcome: JobOutcome): boolean {
  const isGivenUp = outcome.state === "error" && outcome.error.kind === "draining";
  if (!isGivenUp) return false;
  const isDurable = tool.definition.durable === true || hasKept;
  // The next process of a store that only one has finds a job that keeps its steps.
  return (store.isShared === true && (!began || mayRepeat(tool))) || (isDurable && hasDeadLetters(store));
}
