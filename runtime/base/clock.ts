/** Time and chance, so that tests can have their own. */
export interface Clock {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to but without 1. */
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
