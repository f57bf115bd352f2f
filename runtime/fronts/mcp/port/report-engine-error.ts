import { describeThrown } from "../../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../../telemetry/log/logging.ts";

/** Logs what went wrong beside any answer. Mostly clients that break the protocol, who were told, so it is no error. */
export function reportEngineError(error: unknown): void {
  getLogger("tenon").debug({ error: describeThrown(error) }, "MCP");
}
