import { ToolError } from "../../base/errors.ts";
import { StartError } from "../../base/start-error.ts";

/** Converts an error of the store to a `StartError`, with the store's explanation. */
export function resumeError(error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  return new StartError(error.cause instanceof Error ? error.cause.message : error.message);
}
