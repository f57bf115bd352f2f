import type { CurrentJob } from "../../job/current-job.ts";

/**
 * Keeps a job in its process during a part that is neither a step nor a wait, such as a question: its answer would not
 * wake the job, and its client may be reachable only from here.
 */
export async function stayDuring<T>(job: CurrentJob, part: () => Promise<T>): Promise<T> {
  job.busy = (job.busy ?? 0) + 1;
  try {
    return await part();
  } finally {
    if (job.departure === undefined) job.busy--;
    else job.departure.ended();
  }
}
