import type { Caller } from "../../http/caller.ts";
import type { JsonObject } from "../../../contract/contract.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpPort } from "../port/port.ts";

/**
 * Checks that a caller may do what the messages of a request ask for, before any of them is looked at further, so that
 * the answer is 403 with a challenge, as the protocol wants it. All that is missing is named at once.
 *
 * @param body A message, or a batch of them; what is neither is refused later, for what it is.
 * @throws ToolError `insufficient-scope`
 */
export function requireScopes(port: McpPort, caller: Caller, body: unknown): void {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const needed = new Set<string>();
  for (const message of messages) {
    if (!isRecord(message) || typeof message["method"] !== "string") continue;
    const params = isRecord(message["params"]) ? (message["params"] as JsonObject) : {};
    for (const scope of port.scopesOf(message["method"], params)) needed.add(scope);
  }
  if (needed.size > 0) caller.require([...needed]);
}
