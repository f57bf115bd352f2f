import type { JobUrn } from "../../../runtime/job/job.ts";
import type { StoredOutcome } from "../../../runtime/executor/store/job-store.ts";
import type { Exchange } from "./exchange.ts";
import type { JobHub } from "../jobs/job-hub.ts";

/** Waits for the end of a job. Create this object before the job can end. */
export class EndWatch {
  readonly #stopFollowing: () => void;
  #outcome: StoredOutcome | undefined;
  #tell: (() => void) | undefined;

  constructor(hub: JobHub, id: JobUrn) {
    this.#stopFollowing = hub.follow(id, (news) => {
      if (news.kind !== "end") return;
      this.#outcome = news.outcome;
      this.#tell?.();
    });
  }

  /** Resolves with the outcome, or with undefined after a timeout or a disconnect. */
  wait(ms: number, exchange: Exchange): Promise<StoredOutcome | undefined> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        stop();
        this.stop();
        resolve(this.#outcome);
      };
      const timer = setTimeout(end, ms);
      const stop = exchange.onGone(end);
      this.#tell = end;
      if (this.#outcome !== undefined) end();
    });
  }

  stop(): void {
    this.#stopFollowing();
  }
}
