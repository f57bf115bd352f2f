import { ToolError } from "../../base/errors.ts";

/** @param retryAfter Seconds after which callers may retry. */
export function overloadedError(retryAfter: number): ToolError {
  return new ToolError("overloaded", "The service is busy. Try again later.", { retryAfter });
}

export function drainingError(): ToolError {
  return new ToolError("draining", "The service is stopping. Try again in a moment.", { retryAfter: 1 });
}

/** Ends a job that waits for its client when the service stops or, in `tenon dev`, when its tool is loaded again. */
export function unansweredError(): ToolError {
  const message =
    "The service stopped or loaded new code while the job waited for an answer. An answer, or a new call, runs the tool from its start.";
  return new ToolError("draining", message, { retryAfter: 1 });
}

export function conflictError(): ToolError {
  return new ToolError("idempotency-conflict", "This job id belongs to another request.");
}
