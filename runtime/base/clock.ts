/** Time and random numbers, replaceable in tests. */
export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
}

/** The clock of the process. */
export const systemClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end);
    }),
};
