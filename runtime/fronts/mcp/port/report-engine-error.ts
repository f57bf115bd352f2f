import { describeThrown } from "../../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";

/**
 * Logs an error that is not part of an answer. The level is not `ERROR`, since most of these errors are violations of
 * the protocol by clients, which have received an error answer.
 */
export function reportEngineError(error: unknown): void {
  getLogger("tenon").debug({ error: describeThrown(error) }, "MCP");
}
