import type { JsonObject } from "../../../runtime/contract/contract.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";

/** A stored change of a job. */
export type JobNews =
  | { readonly kind: "event"; readonly id: JobUrn; readonly service: string; readonly event: NumberedEvent }
  | { readonly kind: "state"; readonly id: JobUrn; readonly service: string; readonly state: LiveState }
  | { readonly kind: "end"; readonly id: JobUrn; readonly service: string; readonly outcome: StoredOutcome };

export interface NumberedEvent {
  /** The number within the job, counted over all attempts. */
  readonly sequence: number;
  readonly body: JsonObject;
}

/** State of a job that has not ended. `released`: it waits again, since its worker gave it back. */
export type LiveState =
  | { readonly status: "pending" }
  | { readonly status: "executing"; readonly attempt: number }
  | { readonly status: "released"; readonly attempt: number };

export type NewsListener = (news: JobNews) => void;

/** Passes changes of jobs to listeners, in order; it stores nothing. */
export class JobHub {
  readonly #byJob = new Map<JobUrn, Set<NewsListener>>();
  readonly #everywhere = new Set<NewsListener>();
  readonly #closing = new Set<() => void>();

  /** True when the job has a listener. */
  hears(id: JobUrn): boolean {
    return this.#everywhere.size > 0 || this.#byJob.has(id);
  }

  /** The jobs that have listeners. */
  get followed(): readonly JobUrn[] {
    return [...this.#byJob.keys()];
  }

  /** Calls `listener` when the hub closes. Returns a function that unsubscribes. */
  onClose(listener: () => void): () => void {
    this.#closing.add(listener);
    return () => void this.#closing.delete(listener);
  }

  close(): void {
    for (const listener of this.#closing) listener();
  }

  tell(news: JobNews): void {
    for (const listener of this.#byJob.get(news.id) ?? []) listener(news);
    for (const listener of this.#everywhere) listener(news);
  }

  follow(id: JobUrn, listener: NewsListener): () => void {
    const listeners = this.#byJob.get(id) ?? new Set();
    this.#byJob.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byJob.get(id) === listeners) this.#byJob.delete(id);
    };
  }

  followAll(listener: NewsListener): () => void {
    this.#everywhere.add(listener);
    return () => void this.#everywhere.delete(listener);
  }
}
