import { setImmediate as turn } from "node:timers/promises";

/** Time that passes only when `advance` is called. */
export interface VirtualTime {
  /** Milliseconds since creation. */
  now(): number;
  /** Calls back after `ms` of virtual time. Returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
  /** Advances the time and runs all timers that are due, in order. */
  advance(ms: number): Promise<void>;
  /** Runs all pending work that needs no time. */
  settle(): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * Number of event loop turns that are enough for all pending work without timers: chains of promises between
 * immediates.
 */
const turns = 20;

/** Creates virtual time that starts at 0. */
export function createVirtualTime(): VirtualTime {
  let now = 0;
  const timers = new Set<Timer>();
  const settle = async (): Promise<void> => {
    for (let n = 0; n < turns; n++) await turn();
  };
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + Math.max(0, ms), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    settle,
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
        await settle();
      }
      now = until;
    },
  };
}
