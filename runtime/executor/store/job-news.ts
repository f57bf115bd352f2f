import type { JobUrn } from "../../job/job.ts";

/**
 * `events`: the job has new events. `answers`: its questions have new answers. `ended`: the job has ended. `unknown`: a
 * notification may have been missed, so the job must be read.
 */
export type JobChange = "events" | "answers" | "ended" | "unknown";

type ChangeListener = (change: JobChange) => void;
/** Gets the names of tools that have newly claimable jobs; undefined: any tool may have some. */
type ReadyListener = (tools: readonly string[] | undefined) => void;

/** The listeners of a store, called for changes to its jobs. A listener must return at once, and must not throw. */
export class JobNews {
  readonly #watched = new Map<JobUrn, Set<ChangeListener>>();
  readonly #ready = new Set<ReadyListener>();

  watch(id: JobUrn, listener: ChangeListener): () => void {
    const listeners = this.#watched.get(id) ?? new Set();
    this.#watched.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#watched.get(id) === listeners) this.#watched.delete(id);
    };
  }

  ready(listener: ReadyListener): () => void {
    this.#ready.add(listener);
    return () => this.#ready.delete(listener);
  }

  isWatched(id: JobUrn): boolean {
    return this.#watched.has(id);
  }

  tell(id: JobUrn, change: JobChange): void {
    for (const listener of this.#watched.get(id) ?? []) listener(change);
  }

  tellReady(tools: readonly string[] | undefined): void {
    for (const listener of this.#ready) listener(tools);
  }

  /** Notifies every watcher that its job may have changed. */
  tellUnknown(): void {
    for (const id of this.#watched.keys()) this.tell(id, "unknown");
  }
}
