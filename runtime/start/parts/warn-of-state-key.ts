import { getLogger } from "../../telemetry/log/logging.ts";

/** Replicas check the state of one another's MCP clients, and each has made a key of its own. */
export function warnOfStateKey(): void {
  getLogger("tenon").warn(
    "TENON_STATE_KEY is not set: an MCP client's answer to a question is refused by every replica but the one that asked. Give all replicas the same 32 or more random characters.",
  );
}
