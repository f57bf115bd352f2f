import { isCallError, unexpected, type CallFailure } from "../call-error.ts";

/** Returns the failure that a component shows. A mistake in the program is wrapped as the cause of a failure. */
export function failureOf(error: unknown): CallFailure {
  if (isCallError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return unexpected(message, { cause: error }) as CallFailure;
}
