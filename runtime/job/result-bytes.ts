import { ToolError } from "../base/errors.ts";

/** Maximum size of a result in bytes. Store a bigger one as an artifact. */
export const maxResultBytes: number = 6 * 1024 * 1024;

export const resultTooLarge: string = `The result is larger than the limit of ${maxResultBytes} bytes. Store a large result as an artifact.`;

const publicDetail = "The tool gave a result that does not match its type. The service's log has the reason.";

/** Throws `invalid-result` for a result that is larger than the limit. */
export function checkSize(bytes: number): void {
  if (bytes <= maxResultBytes) return;
  throw new ToolError("invalid-result", resultTooLarge);
}

/** Makes the error for a result that cannot be sent: callers get a fixed sentence, the log gets the reason. */
export function invalidResult(reason: string, cause?: unknown): ToolError {
  return new ToolError("invalid-result", publicDetail, {
    cause: new Error(`Invalid result: ${reason}.`, cause === undefined ? undefined : { cause }),
  });
}
