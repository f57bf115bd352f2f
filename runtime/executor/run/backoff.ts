import type { RetryDefinition } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import { RetryAfterError } from "../../job/steps/step-errors.ts";

/**
 * Returns the milliseconds before the next attempt: doubled each time, reduced by a random part; or the delay that the
 * error asks for.
 */
export function delayBefore(tries: number, { from, to }: RetryDefinition, thrown: unknown): number {
  if (thrown instanceof RetryAfterError) return Math.round(thrown.seconds * 1000);
  // The error may also come from a worker thread.
  if (thrown instanceof ToolError && thrown.retryAfter !== undefined) return Math.round(thrown.retryAfter * 1000);
  const delay = Math.min(to, from * 2 ** (tries - 1));
  // The random part prevents that jobs which failed together retry together.
  return Math.round(delay * (0.75 + Math.random() / 4));
}
