import type { JobStore, NewJob } from "../../runtime/executor/store/job-store.ts";
import { newJobUrn } from "../../runtime/job/job-id.ts";
import type { Step } from "./measure.ts";

export const input = { text: "x".repeat(100), numbers: [1, 2, 3], nested: { flag: true } };
export const output = { ...input, ok: true };
const outcome = { state: "succeeded", result: { kind: "json", json: JSON.stringify(output) } } as const;
const leaseSeconds = 15;

function newJob(): NewJob {
  return { id: newJobUrn(), tool: "bench", input, ttl: 3600, maxAttempts: 3 };
}

/** A job that the executor of a service takes in: submitted and claimed in one step. */
export function ownJob(store: JobStore): Step {
  return async () => {
    const answer = await store.submit(newJob(), leaseSeconds);
    if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
  };
}

/** The same, up to its end. */
export function ownJobToItsEnd(store: JobStore): Step {
  return async () => {
    const answer = await store.submit(newJob(), leaseSeconds);
    if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
    if ((await store.settle(answer.lease, outcome)) !== "ok") throw new Error("not settled");
  };
}

/** A job that waits, and is claimed by whoever asks for the oldest one. */
export function queuedJob(store: JobStore): Step {
  return async () => {
    await store.submit(newJob());
    const claim = await store.claim({ seconds: leaseSeconds });
    if (claim === undefined) throw new Error("no claim");
    if ((await store.settle(claim.lease, outcome)) !== "ok") throw new Error("not settled");
  };
}
