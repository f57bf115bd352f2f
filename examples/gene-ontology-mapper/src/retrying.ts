import { setTimeout as wait } from "node:timers/promises";

/** A failure that knows whether another attempt makes sense. */
interface Retryable {
  readonly message: string;
  readonly temporary: boolean;
  readonly retryAfter: number | undefined;
}

export interface RetryOptions {
  /** Attempts in all. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly onRetry: (reason: string, attempt: number) => void;
}

const firstWait = 200;
const longestWait = 10_000;

/**
 * Runs `attempt` until it succeeds, fails for good, or has failed `attempts` times; throws its last failure.
 * Waits between attempts: what the failure asks for, else exponential back-off with full jitter, so that many jobs do
 * not come back at the same moment. Gives up at once when it is asked to wait longer than ten seconds.
 */
export async function retrying<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      options.signal.throwIfAborted();
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) || number >= options.attempts) throw error;
      const pause = error.retryAfter === undefined ? Math.random() * firstWait * 2 ** number : error.retryAfter * 1000;
      if (pause > longestWait) throw error;
      options.onRetry(error.message, number);
      await wait(pause, undefined, { signal: options.signal });
    }
  }
}

function isRetryable(error: unknown): error is Retryable {
  return error instanceof Error && "temporary" in error && error.temporary === true;
}
