import { setTimeout as sleep } from "node:timers/promises";
import { getLogger } from "../../../../telemetry/log/logging.ts";
import { StoreError } from "../../store-error.ts";
import { isConnectionError } from "./postgres-error.ts";

const firstPause = 100;
const maxPause = 1000;

/**
 * Opens a store, again and again while its server cannot be reached: it restarts, or starts at the same time. The log
 * says so at once. Throws the last `StoreError` after `patience` milliseconds, and any other error at once.
 */
export async function openWhenUp<T>(patience: number, open: () => Promise<T>): Promise<T> {
  const until = performance.now() + patience;
  for (let pause = firstPause, isTold = false; ; pause = Math.min(pause * 2, maxPause)) {
    try {
      return await open();
    } catch (error) {
      const isDown = error instanceof StoreError && isConnectionError(error.cause);
      if (!isDown || performance.now() + pause > until) throw error;
      if (!isTold) getLogger("tenon").warn(`${error.message} The start waits for it, up to ${patience / 1000} s.`);
      isTold = true;
      await sleep(pause);
    }
  }
}
