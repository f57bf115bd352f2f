import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { OpenPlatformBook } from "./platform-book.ts";
import type { MaybePromise } from "../store/maybe-promise.ts";

/**
 * Store writes whose callers do not await them. Failures are logged, and the shutdown of a service waits for all of
 * them.
 */
export class StoreWrites {
  readonly #pending = new Set<Promise<void>>();
  /** The step records of a platform, once one of its jobs stores something. */
  declare books?: OpenPlatformBook;

  add(write: MaybePromise<unknown>): void {
    if (!(write instanceof Promise)) return;
    const logged = write.then(
      () => {},
      (error: unknown) => {
        getLogger("tenon").error({ error: describeThrown(error) }, "the job store failed");
      },
    );
    this.#pending.add(logged);
    void logged.finally(() => this.#pending.delete(logged));
  }

  /** Resolves when all writes are done. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}
