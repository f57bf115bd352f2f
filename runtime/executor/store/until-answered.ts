import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../base/errors.ts";
import type { MaybePromise } from "./maybe-promise.ts";

/** Milliseconds for which a call is repeated while the server cannot be reached; a failover takes minutes. */
const patience = 300_000;
const pause = 500;

/**
 * Calls a store for a job that runs, again and again while its server cannot be reached.
 *
 * @param isOver True when nobody needs the answer any more, so that the last error is thrown
 * @param signal Ends a pause between two calls
 */
export async function untilAnswered<T>(
  run: () => MaybePromise<T>,
  isOver: () => boolean,
  signal?: AbortSignal,
): Promise<T> {
  for (const until = performance.now() + patience; ;) {
    try {
      return await run();
    } catch (error) {
      const mayPass = error instanceof ToolError && error.kind === "overloaded";
      if (!mayPass || isOver() || performance.now() > until) throw error;
      await sleep(pause, undefined, { ref: false, ...(signal !== undefined && { signal }) }).catch(() => {});
    }
  }
}
