/** Calls a function again and again until its stop is called, without keeping the process alive. Tests have their own. */
export type Every = (milliseconds: number, callback: () => void) => () => void;

/** By the clock of the process. */
export const systemEvery: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
};
