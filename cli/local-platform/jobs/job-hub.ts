import type { JobNews, NewsListener } from "./job-news.ts";
import type { FollowedRows, JobRelay } from "./job-relay.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";

interface Follower {
  readonly listeners: Set<NewsListener>;
  /** Reader of the rows that any replica stores; undefined if there are no replicas. */
  readonly rows: FollowedRows | undefined;
}

/** Passes changes of jobs to listeners, in order; it stores nothing. */
export class JobHub {
  readonly #byJob = new Map<JobUrn, Follower>();
  readonly #everywhere = new Set<NewsListener>();
  readonly #here = new Set<NewsListener>();
  readonly #closing = new Set<() => void>();
  readonly #relay: JobRelay | undefined;

  /**
   * Creates the hub.
   *
   * @param relay Passes on the changes that other replicas make
   */
  constructor(relay?: JobRelay) {
    this.#relay = relay;
  }

  /** True when a job has listeners. */
  hears(id: JobUrn): boolean {
    const hasAll = this.#everywhere.size > 0 || this.#here.size > 0 || this.#relay?.isWanted === true;
    return hasAll || this.#byJob.has(id);
  }

  /** Jobs that have listeners, if notifications of their changes could be lost. */
  get followed(): readonly JobUrn[] {
    return this.#relay === undefined ? [...this.#byJob.keys()] : [];
  }

  /** Calls `listener` when the hub closes. Returns a function that unsubscribes. */
  onClose(listener: () => void): () => void {
    this.#closing.add(listener);
    return () => void this.#closing.delete(listener);
  }

  close(): void {
    for (const listener of this.#closing) listener();
    this.#relay?.close();
  }

  /** Notifies the listeners of a change that this process has made. */
  tell(news: JobNews): void {
    const followed = this.#byJob.get(news.id);
    if (followed?.rows !== undefined && news.kind !== "state") followed.rows.look();
    else for (const listener of followed?.listeners ?? []) listener(news);
    for (const listener of [...this.#everywhere, ...this.#here]) listener(news);
    this.#relay?.pass(news);
  }

  follow(id: JobUrn, listener: NewsListener): () => void {
    const follower = this.#byJob.get(id) ?? this.#begin(id);
    follower.listeners.add(listener);
    return () => {
      follower.listeners.delete(listener);
      if (follower.listeners.size > 0 || this.#byJob.get(id) !== follower) return;
      follower.rows?.stop();
      this.#byJob.delete(id);
    };
  }

  /** Subscribes to changes to all jobs, by any replica. */
  followAll(listener: NewsListener): () => void {
    this.#everywhere.add(listener);
    if (this.#everywhere.size === 1) {
      this.#relay?.listen((news) => {
        for (const each of this.#everywhere) each(news);
      });
    }
    return () => {
      this.#everywhere.delete(listener);
      if (this.#everywhere.size === 0) this.#relay?.listen(undefined);
    };
  }

  /** Subscribes to changes to all jobs by this process. */
  followHere(listener: NewsListener): () => void {
    this.#here.add(listener);
    return () => void this.#here.delete(listener);
  }

  #begin(id: JobUrn): Follower {
    const listeners = new Set<NewsListener>();
    const rows = this.#relay?.follow(id, (news) => {
      for (const listener of listeners) listener(news);
    });
    const follower = { listeners, rows };
    this.#byJob.set(id, follower);
    return follower;
  }
}
