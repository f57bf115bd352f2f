import { oneAtATime } from "../../../runtime/base/one-at-a-time.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { JobAttempt } from "../../../runtime/executor/store/attempts.ts";
import type { DeadLetter } from "../../../runtime/executor/store/dead-letters.ts";
import type { TellsHeld } from "../../../runtime/executor/store/held-jobs.ts";
import type { ToolCounts } from "../../../runtime/executor/store/job-counts.ts";
import type { ExtendsLeases } from "../../../runtime/executor/store/extends-leases.ts";
import type { ListedJob, ListFilter, ListPage } from "../../../runtime/executor/store/listed-jobs.ts";
import type { LastingStore } from "../../../runtime/executor/store/lasting-store.ts";
import { noFigures } from "../../../runtime/executor/store/queue-body.ts";
import type { JobRecord, TellsTrouble } from "../../../runtime/executor/store/job-store.ts";
import { contentOf, type JobContent } from "./job-content.ts";
import type { MaybePromise } from "../../../runtime/executor/store/maybe-promise.ts";

/**
 * The store interfaces that the platform needs. If replicas share a store, its leases are not extended, since workers
 * can renew them at another replica.
 */
export type PlatformStore = Omit<LastingStore, keyof (ExtendsLeases & TellsTrouble)> &
  Partial<ExtendsLeases & TellsTrouble & TellsHeld>;

/** Number of jobs that one query examines. */
const listPortion = 500;
/** Maximum number of listed dead letters. */
const maxDeadLetters = 1000;

/** Read access to the jobs of all services, for people. */
export class KnownJobs {
  readonly #store: PlatformStore;
  /** Runs the queries of lists, so that a long list blocks neither workers nor other lists. */
  readonly #inTurn = oneAtATime();

  constructor(store: PlatformStore) {
    this.#store = store;
  }

  get(id: JobUrn): MaybePromise<JobRecord | undefined> {
    return this.#store.get(id);
  }

  /** Returns the start and the end of a job, as far as known. */
  async times(id: JobUrn): Promise<Pick<ListedJob, "startedAt" | "endedAt">> {
    return (await this.#store.listed(id)) ?? {};
  }

  /** The attempts of a job, the first one first. */
  attempts(id: JobUrn): MaybePromise<readonly JobAttempt[]> {
    return this.#store.attempts(id);
  }

  /** The request with which a job runs; undefined if it was deleted at the job's end. */
  async request(id: JobUrn): Promise<JobContent | undefined> {
    const input = await this.#store.input(id);
    return input === undefined ? undefined : contentOf(input);
  }

  /** A job in the form of a list entry. */
  listed(id: JobUrn): MaybePromise<ListedJob | undefined> {
    return this.#store.listed(id);
  }

  /** Lists all jobs that fit a filter before a position, the latest first. */
  async *list(before = Number.MAX_SAFE_INTEGER, filter: ListFilter = {}): AsyncGenerator<ListedJob, void, undefined> {
    const part = (place: number): Promise<ListPage> => this.#inTurn(() => this.#store.list(place, listPortion, filter));
    for (let place: number | undefined = before; place !== undefined;) {
      const { jobs, next }: ListPage = await part(place);
      yield* jobs;
      place = next;
    }
  }

  /** Counts waiting, running and dead jobs. Keys of services take the place of the names of tools. */
  async counts(): Promise<readonly ToolCounts[]> {
    const held = new Map((await this.#store.heldJobs?.(0))?.tools.map((one) => [one.tool, one]));
    const counts = (await this.#store.counts()).map((one) => ({ ...one, ...held.get(one.tool) }));
    const others = [...held.values()].filter(({ tool }) => !counts.some((one) => one.tool === tool));
    return [...counts, ...others.map((one) => ({ ...noFigures, ...one }))];
  }

  deadLetters(): MaybePromise<readonly DeadLetter[]> {
    return this.#store.deadLetters(maxDeadLetters);
  }
}
