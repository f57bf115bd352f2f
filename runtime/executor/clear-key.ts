import type { Executor } from "./executor.ts";
import type { JobOfKey, KeyQuery, TellsHeld } from "./store/held-jobs.ts";
import type { JobStore } from "./store/job-store.ts";
import type { OwnedBy } from "./store/listed-jobs.ts";

/** Number of jobs that are cancelled in one batch. */
const atOnce = 500;

export interface ClearOptions {
  /** Key of a limit: see `limitsOf`. */
  readonly key: string;
  /** True: jobs that have begun are cancelled too. */
  readonly isAll: boolean;
  readonly reason: string;
  /** Owner whose jobs are cancelled; absent: the jobs of all owners. */
  readonly of?: OwnedBy | undefined;
}

/** The numbers of jobs that were cancelled. */
export interface Cleared {
  readonly held: number;
  readonly begun: number;
}

/** Cancels the jobs of a limit's key that wait for their turn, and on request those that have begun. */
export async function clearKey(
  executor: Pick<Executor, "store" | "cancel">,
  { key, isAll, reason, of }: ClearOptions,
): Promise<Cleared> {
  const { store }: { readonly store: JobStore & Partial<TellsHeld> } = executor;
  const each = async (which: KeyQuery["which"], cancel: (job: JobOfKey) => Promise<boolean>): Promise<number> => {
    for (let count = 0; ;) {
      const query = { key, which, most: atOnce, ...(of !== undefined && { of }) };
      const jobs = (await store.jobsOfKey?.(query)) ?? [];
      const ended = await Promise.all(jobs.map(cancel));
      const now = ended.filter(Boolean).length;
      count += now;
      // Jobs that are submitted meanwhile are left to the next call.
      if (jobs.length < atOnce || now === 0) return count;
    }
  };
  // Waiting jobs are cancelled first: otherwise they would start when running jobs end.
  const held = await each("held", async ({ id }) => (await store.cancel(id, reason)) === "ok");
  if (!isAll) return { held, begun: 0 };
  const begun = await each("begun", async ({ id, owner }) => {
    const job = await executor.cancel(id, reason, owner);
    return job?.outcome?.state === "cancelled";
  });
  return { held, begun };
}
