import { setImmediate as turn } from "node:timers/promises";

/** Time that stands still until somebody moves it. */
export interface VirtualTime {
  /** Milliseconds since it was made. */
  now(): number;
  /** Calls back when that much time has passed; the answer calls it off. */
  after(ms: number, callback: () => void): () => void;
  /** Lets time pass: everything that was to happen until then happens in its order. */
  advance(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Turns of the event loop after which what needs no time has happened: chains of promises between immediates. */
const turns = 20;

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
