import { setTimeout as sleep } from "node:timers/promises";
import { getLogger } from "../../telemetry/log/logging.ts";
import { StoreError } from "./store-error.ts";

/** Codes of the system for a connection that failed or broke. */
export const connectionCodes: readonly string[] =
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH".split(" ");

const firstPause = 100;
const maxPause = 1000;

export interface Opening<T> {
  /** Milliseconds to wait for the server. */
  readonly patience: number;
  readonly open: () => Promise<T>;
  /** True for the cause of a `StoreError` that says that the server cannot be reached. */
  readonly isDown: (cause: unknown) => boolean;
}

/**
 * Opens storage on a server. Retries while the server cannot be reached, because it is restarting or starts at the same
 * time; the first failure is logged. After `patience` milliseconds, throws the last `StoreError`; any other error is
 * thrown at once.
 */
export async function openWhenUp<T>({ patience, open, isDown }: Opening<T>): Promise<T> {
  const until = performance.now() + patience;
  for (let pause = firstPause, isTold = false; ; pause = Math.min(pause * 2, maxPause)) {
    try {
      return await open();
    } catch (error) {
      const mayReturn = error instanceof StoreError && isDown(error.cause);
      if (!mayReturn || performance.now() + pause > until) throw error;
      if (!isTold) getLogger("tenon").warn(`${error.message} The start waits for it, up to ${patience / 1000} s.`);
      isTold = true;
      await sleep(pause);
    }
  }
}
