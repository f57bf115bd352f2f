import { ToolError } from "../../base/errors.ts";

/** @param retryAfter Seconds after which callers may retry. */
export function overloadedError(retryAfter: number): ToolError {
  return new ToolError("overloaded", "The service is busy. Try again later.", { retryAfter });
}

export function drainingError(): ToolError {
  return new ToolError("draining", "The service is stopping. Try again in a moment.", { retryAfter: 1 });
}

export function conflictError(): ToolError {
  return new ToolError("idempotency-conflict", "This job id belongs to another request.");
}
