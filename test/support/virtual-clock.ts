import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../runtime/platform/clock.ts";

export interface VirtualClock extends Clock {
  /** Lets time pass: everything that was to happen until then happens in its order. */
  advance(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
}

/** A clock that stands still until a test moves it. `random` is always the same. */
export function virtualClock(random = 0.5): VirtualClock {
  let now = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) await turn();
  };
  return {
    now: () => now,
    random: () => random,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const sleeper = { at: now + Math.max(0, ms), wake: end };
        function end(): void {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", end);
          resolve();
        }
        sleepers.add(sleeper);
        signal?.addEventListener("abort", end);
      }),
    settle,
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (;;) {
        const [next] = [...sleepers].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at);
        if (next === undefined) break;
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = until;
    },
  };
}
