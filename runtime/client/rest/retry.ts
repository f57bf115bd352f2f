import { CallError, isPassing } from "../call-error.ts";
import { unlessAborted } from "../unless-aborted.ts";

/** Limits and delays of retries. */
export interface RetryOptions {
  /** Maximum number of consecutive failures of a call; 0: no retry. Default 8. */
  readonly limit?: number | undefined;
  /**
   * Milliseconds until the first retry. The delay doubles for each further retry, up to 5 s, less a random part.
   * Default 200.
   */
  readonly delay?: number | undefined;
}

/** Counts the consecutive failures of one call. */
export interface Retries {
  /**
   * Waits after a failure. Rejects with the failure when the limit is reached, or when the service asks for a delay of
   * more than a minute: the error contains the delay, for callers who want to wait that long.
   *
   * @param error Any error other than a `CallError` is one of the connection
   * @param isWorth True for failures after which a retry may help
   */
  readonly again: (
    error: unknown,
    signal: AbortSignal | undefined,
    isWorth?: (failure: CallError) => boolean,
  ) => Promise<void>;
  /**
   * Waits before the next attempt; rejects with the reason of the signal.
   *
   * @param least Seconds that the service asks to wait
   */
  readonly pause: (signal: AbortSignal | undefined, least?: number) => Promise<void>;
  /** Called after a success: resets the count of failures. */
  readonly reset: () => void;
}

const longestDelay = 5000;
/** Maximum seconds of a pause. */
const longestPause = 60;

/**
 * Begins to count failures.
 *
 * @param address Of the requests, for messages
 */
export function countRetries({ limit = 8, delay = 200 }: RetryOptions, address: string): Retries {
  let failures = 0;
  const pause: Retries["pause"] = (signal, least = 0) => {
    const backOff = Math.min(delay * 2 ** failures, longestDelay) * (1 - Math.random() / 2);
    failures++;
    return sleep(Math.max(backOff, Math.min(least, longestPause) * 1000), signal);
  };
  return {
    async again(error, signal, isWorth = isPassing) {
      const failure = asUnreachable(error, address, signal);
      const isHopeless = !(failure instanceof CallError) || !isWorth(failure) || failures >= limit;
      if (isHopeless || (failure.retryAfter ?? 0) > longestPause) throw failure;
      await pause(signal, failure.retryAfter);
    },
    pause,
    reset: () => void (failures = 0),
  };
}

/**
 * Converts the error of a failed connection to `unreachable`. If the signal was aborted, returns its reason; a
 * `CallError` stays as it is.
 */
function asUnreachable(error: unknown, address: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof CallError) return error;
  if (signal?.aborted) return signal.reason;
  const { message, cause } = error as Error;
  const why = (cause as Error | undefined)?.message || message;
  return new CallError("unreachable", `${address} cannot be reached: ${why}.`, { cause: error });
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  return unlessAborted(
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    }),
    signal,
  ).finally(() => clearTimeout(timer));
}
