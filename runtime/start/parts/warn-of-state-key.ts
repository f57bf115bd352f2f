import { getLogger } from "../../telemetry/log/logging.ts";

/**
 * Warns that no shared state key is configured. Each replica then has a random key, and rejects MCP client state that
 * another replica has signed.
 */
export function warnOfStateKey(): void {
  getLogger("tenon").warn(
    "TENON_STATE_KEY is not set: an MCP client's answer to a question is refused by every replica but the one that asked. Give all replicas the same 32 or more random characters.",
  );
}
