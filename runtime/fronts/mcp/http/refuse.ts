import { ToolError } from "../../../base/errors.ts";
import { reportEngineError } from "../port/report-engine-error.ts";
import { refusal } from "./http-route.ts";

/** The answer to a request that failed before it became a message. An internal error is logged. */
export function refuse(thrown: unknown): Response {
  const error = ToolError.from(thrown);
  if (error.kind === "system") reportEngineError(thrown);
  return refusal(error);
}
