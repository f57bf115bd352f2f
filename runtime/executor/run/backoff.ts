import type { RetryDefinition } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import { RetryAfterError } from "../../job/steps/step-errors.ts";

/** Milliseconds before the next try: doubled each time, a little less by chance, or as the error says. */
export function delayBefore(tries: number, { from, to }: RetryDefinition, thrown: unknown): number {
  if (thrown instanceof RetryAfterError) return Math.round(thrown.seconds * 1000);
  // One that a worker thread has sent.
  if (thrown instanceof ToolError && thrown.retryAfter !== undefined) return Math.round(thrown.retryAfter * 1000);
  const delay = Math.min(to, from * 2 ** (tries - 1));
  // Jobs that failed together do not come back together.
  return Math.round(delay * (0.75 + Math.random() / 4));
}
