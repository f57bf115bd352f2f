import type { JobUrn } from "../../../runtime/job/job.ts";
import type { DeadLetter, DeadLetters } from "../../../runtime/executor/store/dead-letters.ts";
import type { ListedJob, ListsJobs } from "../../../runtime/executor/store/job-list.ts";
import type { JobRecord, JobStore, MaybePromise } from "../../../runtime/executor/store/job-store.ts";

/** What the platform needs of a store. */
export type PlatformStore = JobStore & DeadLetters & ListsJobs;

/** Jobs of one look at the store. */
const listPortion = 500;
/** Dead letters that are shown. */
const maxDeadLetters = 1000;

/** The jobs of all services as people look at them; nothing here changes any. */
export class KnownJobs {
  readonly #store: PlatformStore;

  constructor(store: PlatformStore) {
    this.#store = store;
  }

  get(id: JobUrn): MaybePromise<JobRecord | undefined> {
    return this.#store.get(id);
  }

  /** When a job began and ended, as far as it has. */
  async times(id: JobUrn): Promise<Pick<ListedJob, "startedAt" | "endedAt">> {
    return (await this.#store.listed(id)) ?? {};
  }

  /** A job as lists show it. */
  listed(id: JobUrn): MaybePromise<ListedJob | undefined> {
    return this.#store.listed(id);
  }

  /** All jobs, the latest first, from before a place in that order. */
  async *list(before = Number.MAX_SAFE_INTEGER): AsyncGenerator<ListedJob, void, undefined> {
    for (let place: number | undefined = before; place !== undefined;) {
      const jobs: readonly ListedJob[] = await this.#store.list(place, listPortion);
      yield* jobs;
      place = jobs.at(-1)?.seq;
      // A long list must not hold up the workers.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  deadLetters(): MaybePromise<readonly DeadLetter[]> {
    return this.#store.deadLetters(maxDeadLetters);
  }
}
