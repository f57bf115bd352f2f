import { ToolError } from "../../base/errors.ts";
import { StartError } from "../../base/start-error.ts";

/** Makes an error of the store's a `StartError`, with what the store says of its trouble. */
export function resumeError(error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  return new StartError(error.cause instanceof Error ? error.cause.message : error.message);
}
