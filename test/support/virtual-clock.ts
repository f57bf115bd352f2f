import { createVirtualTime } from "../../runtime/kits/testing/virtual-time.ts";
import type { Clock } from "../../runtime/base/clock.ts";

export interface VirtualClock extends Clock {
  /** Lets time pass: everything that was to happen until then happens in its order. */
  advance(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
}

/** A clock that stands still until a test moves it. `random` is always the same. */
export function virtualClock(random = 0.5): VirtualClock {
  const time = createVirtualTime();
  return {
    now: time.now,
    advance: time.advance,
    settle: time.settle,
    random: () => random,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const end = (): void => {
          cancel();
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const cancel = time.after(ms, end);
        signal?.addEventListener("abort", end);
      }),
  };
}
