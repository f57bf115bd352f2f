import { ToolError } from "../../base/errors.ts";
import type { Job } from "../../job/job.ts";
import { newJobUrn } from "../../job/job-id.ts";
import { keysBefore } from "../../job/steps/job-history.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { countsOf, type CountsJobs } from "../store/job-counts.ts";
import type { JobStore } from "../store/job-store.ts";
import type { JobKeeper } from "./job-keeper.ts";

interface Fork {
  readonly old: Pick<Job, "id" | "tool">;
  /** Name of the first step that runs again; default: all of them. */
  readonly from: string | undefined;
  readonly owner: string | undefined;
}

interface ForkParts {
  readonly store: JobStore & Partial<CountsJobs>;
  readonly keeper: JobKeeper;
  /** Throws `overloaded` if too many jobs of a tool wait. */
  readonly checkRoom: (tool: Tool, waiting: number) => void;
}

/**
 * Stores a copy of an ended job with some of its steps. Any process with a free slot can then run the copy.
 *
 * @throws ToolError `gone`, `bad-request` for an unknown step, `overloaded` when too many jobs of the tool wait: a
 *   request of some bytes may copy 16 MiB.
 */
export async function forkJob({ store, keeper, checkRoom }: ForkParts, { old, from, owner }: Fork): Promise<Job> {
  const counts = await countsOf(store);
  const own = counts.find(({ tool }) => tool === old.tool.name);
  if (own !== undefined) checkRoom(old.tool, own.waiting);
  const as = newJobUrn();
  const keys = keysBefore(await store.recall(old.id), from);
  const job = (await store.fork(old.id, as, keys)) === "ok" ? await keeper.find(as, owner) : undefined;
  if (job === undefined)
    throw new ToolError("gone", "Nothing is kept of the job to run it again, or it has not ended.");
  keeper.look();
  return job;
}
