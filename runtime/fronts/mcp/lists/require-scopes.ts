import type { Caller } from "../../http/identity.ts";
import type { JsonObject } from "../../../contract/contract.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpPort } from "../port/port.ts";

/**
 * Checks that a caller has the scopes for all messages of a request. This happens before they are processed further, so
 * that the answer is 403 with a challenge, as the protocol requires. All missing scopes are named at once.
 *
 * @param body A message, or a batch of messages; anything else is refused later.
 * @throws ToolError `insufficient-scope`
 */
export function requireScopes(port: McpPort, caller: Caller, body: unknown): void {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const needed = new Set<string>();
  for (const message of messages) {
    if (!isObject(message) || typeof message["method"] !== "string") continue;
    const params = isObject(message["params"]) ? (message["params"] as JsonObject) : {};
    for (const scope of port.scopesOf(message["method"], params)) needed.add(scope);
  }
  if (needed.size > 0) caller.require([...needed]);
}
