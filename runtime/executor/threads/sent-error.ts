import type { ErrorKind } from "../../base/errors.ts";
import type { Problem } from "../../contract/contract.ts";
import type { ThrownDescription } from "../../telemetry/log/describe-thrown.ts";

/** A `ToolError` as plain data. */
export interface SentError {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly cause?: ThrownDescription;
  /** True if a retry would fail as well. */
  readonly isFinal?: true;
  /** Seconds until a retry. */
  readonly retryAfter?: number;
}
