/** Milliseconds between two runs: what many values change, such as a long list, takes a part of them to draw. */
const every = 66;

/** Runs a function some times a second, however often it is asked for. */
export interface Throttle {
  /** Runs the function within some milliseconds. */
  soon(): void;
  /** Runs the function at once, and not again for what was asked for before. */
  now(): void;
}

/** Makes a throttle of a function. */
export function throttle(run: () => void): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(timer);
    timer = undefined;
    run();
  };
  return {
    now,
    soon() {
      timer ??= setTimeout(now, every);
    },
  };
}
