import { ToolError } from "../../base/errors.ts";
import type { Job, JobUrn } from "../../job/job.ts";
import { newJobUrn } from "../../job/job-id.ts";
import { keysBefore } from "../../job/steps/job-history.ts";
import type { JobStore } from "../store/job-store.ts";
import type { JobKeeper } from "./job-keeper.ts";

interface Fork {
  readonly id: JobUrn;
  /** Name of the first step that runs again; default: all of them. */
  readonly from: string | undefined;
  readonly owner: string | undefined;
}

/** Stores a copy of an ended job with some of its steps. Any process with a free slot can then run the copy. */
export async function forkJob(store: JobStore, keeper: JobKeeper, { id, from, owner }: Fork): Promise<Job> {
  const as = newJobUrn();
  const keys = keysBefore(await store.recall(id), from);
  const job = (await store.fork(id, as, keys)) === "ok" ? await keeper.find(as, owner) : undefined;
  if (job === undefined)
    throw new ToolError("gone", "Nothing is kept of the job to run it again, or it has not ended.");
  keeper.look();
  return job;
}
