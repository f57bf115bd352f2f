import { ToolError } from "../../base/errors.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Answer } from "./answer.ts";
import { problemAnswer } from "./problem.ts";

/**
 * The answer for an exception outside of a job. Its reason is logged where the answer, which says so, does not have it.
 */
export function failureAnswer(thrown: unknown, jobId?: string): Answer {
  logFailure(thrown);
  return problemAnswer(thrown, jobId);
}

/** Logs an exception that callers get as a failure of the service. */
export function logFailure(thrown: unknown): void {
  const { kind, cause } = ToolError.from(thrown);
  if (kind === "system") getLogger("tenon").error({ error: describeThrown(cause ?? thrown) }, "request failed");
}
