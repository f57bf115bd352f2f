import type { RetryDefinition } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import { RetryAfterError } from "../../job/steps/step-errors.ts";

/**
 * Milliseconds before the next try: doubled each time, reduced by a random part; or the delay that the error asks for.
 */
export function delayBefore(tries: number, { from, to }: RetryDefinition, thrown: unknown): number {
  if (thrown instanceof RetryAfterError) return Math.round(thrown.seconds * 1000);
  // An error that a worker thread has sent.
  if (thrown instanceof ToolError && thrown.retryAfter !== undefined) return Math.round(thrown.retryAfter * 1000);
  const delay = Math.min(to, from * 2 ** (tries - 1));
  // A random part, so that jobs which failed together do not retry together.
  return Math.round(delay * (0.75 + Math.random() / 4));
}
