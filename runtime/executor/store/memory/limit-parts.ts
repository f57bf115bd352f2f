import type { JobUrn } from "../../../job/job.ts";
import type { JobNews } from "../job-news.ts";
import type { CountsWaiting } from "./count-waiting.ts";
import type { LiveJob } from "./live-job.ts";
import type { LiveJobs } from "./live-jobs.ts";

/** The parts of a memory store that its limits need. */
export interface MemoryParts {
  /** Jobs that have not ended, in the order in which they can be claimed. */
  readonly live: Map<JobUrn, LiveJob>;
  /** The same jobs by their idempotency keys. */
  readonly keys: Map<string, LiveJob>;
  readonly now: () => number;
  readonly news: JobNews;
}

/** Like {@link MemoryParts}, but the jobs can also be iterated in the order in which they can be claimed. */
export type LimitParts = MemoryParts & { readonly live: LiveJobs; readonly store: CountsWaiting };
