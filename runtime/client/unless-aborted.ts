/**
 * Rejects with the reason of a signal if the signal is aborted before the promise settles. The underlying work is not
 * stopped.
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The signal of a timer, which aborts with the caller's signal too if there is one. */
export function withSignal(signal: AbortSignal | undefined, timer: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, timer]) : timer;
}
