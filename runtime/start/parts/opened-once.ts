import { ToolError } from "../../base/errors.ts";
import { getLogger } from "../../telemetry/log/logging.ts";

/** Something that the first request opens and all later ones use. */
export interface OpenedOnce<T> {
  /**
   * Opens it, or waits until it is open. Rejects with a `ToolError` when that fails; the next call tries again, since a
   * host may keep the process for days.
   */
  value(): Promise<T>;
  /** The opened value, after it was asked for; undefined when it never was, or when it failed. Never rejects. */
  settled(): Promise<T | undefined>;
}

/** @param failure Beginning of the line in the log, for example `MCP cannot be served` */
export function openedOnce<T>(open: () => Promise<T>, failure: string): OpenedOnce<T> {
  let opening: Promise<T> | undefined;
  return {
    value: () =>
      (opening ??= open().catch((error: unknown) => {
        getLogger("tenon").error(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
        opening = undefined;
        throw new ToolError("unavailable", "The service cannot start. Its log says why.", { retryAfter: 5 });
      })),
    settled: () => (opening ?? Promise.resolve(undefined)).catch(() => undefined),
  };
}
