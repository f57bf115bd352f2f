/**
 * Calls a function periodically, without keeping the process alive. Returns a function that stops the calls. Tests pass
 * their own implementation.
 */
export type Every = (milliseconds: number, callback: () => void) => () => void;

/** Uses the clock of the process. */
export const systemEvery: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
};
