import { describeThrown } from "../../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";

/**
 * Logs an error that is not part of an answer. Most are violations of the protocol by clients, which have got an error
 * answer, so the level is not `ERROR`.
 */
export function reportEngineError(error: unknown): void {
  getLogger("tenon").debug({ error: describeThrown(error) }, "MCP");
}
